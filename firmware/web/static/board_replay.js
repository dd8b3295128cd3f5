// Finished deals, step by step: buttons, keys (← → Home End, space) and a slider.

import { element, language, say } from "/static/base.js";
import { nameOf } from "/static/board_view.js";

const API = "/api/v1";
const PACE = 1100;
const LATER = 1500;
const $ = (id) => document.getElementById(id);

export class Replay {
  constructor(show) {
    this.show = show;
    this.on = false;
    this.deals = [];
    this.unread = false;
    this.deal = null;
    this.step = 0;
    this.timer = null;
    $("first").addEventListener("click", () => this.go(0));
    $("back").addEventListener("click", () => this.go(this.step - 1));
    $("next").addEventListener("click", () => this.go(this.step + 1));
    $("last").addEventListener("click", () => this.go(Infinity));
    $("run").addEventListener("click", () => this.run());
    $("slider").addEventListener("input", () => this.go(Number($("slider").value)));
    $("steps").addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("spoken", () => this.list());
  }

  async enter() {
    this.on = true;
    this.dress();
    await this.load();
    if (!this.deal && this.deals.length) await this.open(this.deals[0]);
    this.show();
  }

  leave() {
    this.stop();
    this.on = false;
    this.dress();
  }

  dress() {
    document.body.classList.toggle("replaying", this.on);
    $("steps").hidden = !this.on || !this.deal;
    $("deals").hidden = !this.on;
  }

  // A deal has ended: the list is asked for when the journal has surely been read anew.
  refresh() {
    if (this.on) setTimeout(() => this.load(), LATER);
  }

  async load() {
    try {
      const answer = await fetch(`${API}/deals`);
      this.unread = !answer.ok;
      if (answer.ok) this.deals = (await answer.json()).deals;
    } catch {
      this.unread = true;
    }
    this.list();
  }

  list() {
    const none = this.unread ? "board.deals-unread" : this.deals.length ? null : "board.no-deals";
    const said = none ? [element("li", { className: "none", textContent: say(none) })] : [];
    $("deal-list").replaceChildren(...said, ...this.deals.map((one) => {
      const seats = one.names.map((name, index) => ({ seat: index + 1, name }));
      const result = one.sides.map((side, place) => `${one.points[place] >= 0 ? "+" : "−"}${Math.abs(one.points[place])}`);
      const dealer = say("board.dealt-by", { name: nameOf(seats, one.dealer) });
      const button = element("button", { type: "button", onclick: () => this.open(one) },
        element("span", { className: "which", textContent: say("board.which", { match: one.match, deal: one.deal }) }),
        element("span", { className: "points", textContent: result.join(" : ") }),
        element("span", { className: "by", textContent: `${one.game[language()]} · ${dealer}` }));
      const open = this.deal && this.deal.match === one.match && this.deal.deal === one.deal;
      button.setAttribute("aria-current", String(Boolean(open)));
      return element("li", {}, button);
    }));
  }

  async open(one) {
    this.stop();
    try {
      const answer = await fetch(`${API}/deals/${one.match}/${one.deal}`);
      this.unread = !answer.ok;
      if (answer.ok) this.deal = await answer.json();
    } catch {
      this.unread = true;
    }
    if (this.unread) {
      this.list();
      return;
    }
    this.step = 0;
    $("slider").max = String(this.deal.steps.length - 1);
    this.dress();
    this.list();
    this.go(0);
  }

  go(step) {
    if (!this.deal) return;
    this.step = Math.max(0, Math.min(this.deal.steps.length - 1, step));
    $("slider").value = String(this.step);
    const facts = { step: this.step + 1, all: this.deal.steps.length };
    $("count").textContent = say("board.of", facts);
    $("slider").setAttribute("aria-valuetext", say("board.of", facts));
    $("first").disabled = $("back").disabled = this.step === 0;
    $("next").disabled = $("last").disabled = this.step === this.deal.steps.length - 1;
    if (this.timer && this.step === this.deal.steps.length - 1) this.stop();
    this.show();
  }

  run() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.step === this.deal.steps.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.step + 1), PACE);
    this.mark();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.mark();
  }

  mark() {
    $("run").setAttribute("aria-pressed", String(Boolean(this.timer)));
  }

  key(event) {
    if (!this.on || !this.deal || event.ctrlKey || event.altKey || event.metaKey) return;
    const own = event.target === $("slider");
    const act = {
      ArrowLeft: () => this.go(this.step - 1),
      ArrowRight: () => this.go(this.step + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      " ": () => this.run(),
    }[event.key];
    const pressed = event.key === " " && event.target.closest("button, a");
    if (!act || pressed || (own && event.key !== " ") || event.target.id === "log") return;
    event.preventDefault();
    act();
  }

  // The step as a table that is played now would be shown.
  table() {
    if (!this.deal) return null;
    const { blocks, notices } = this.deal.steps[this.step];
    const turn = blocks.find((one) => one.block === "turn");
    const scored = notices.find((one) => one.code === "deal-scored");
    const seats = this.deal.seats.map((one) => ({
      ...one, turn: Boolean(turn?.seats.includes(one.seat)), dealer: one.seat === this.deal.dealer,
    }));
    return {
      ...this.deal, seats, blocks: [{ block: "notices", notices }, ...blocks], turn: turn?.seats ?? [],
      phase: turn?.phase ?? null, standing: turn?.seats.length ? "running" : "between",
      sides: this.deal.sides.map((side, place) => ({
        ...side, won: false, score: scored ? side.score : side.score - this.deal.points[place],
      })),
    };
  }

  told() {
    return this.deal ? this.deal.steps.slice(0, this.step + 1) : [];
  }
}
