// Rulings: picked by name, filled in, looked at, and made. Nothing of it holds up play, and nothing is made unseen.

import { element, language, say } from "/static/base.js";
import { find, send } from "/static/director_asks.js";

const REASONS = ["slip-of-hand", "agreed-by-all", "rule-misapplied", "device-failed"];
const ALWAYS = ["lock", "set-pin"];
const ORDER = [
  "agree-for-all", "undo", "set-score", "set-turn", "set-dealer", "set-hand", "set-name", "report", "deal-anew", "void-deal",
  "void-match", "correct-setup", "next-match", "lock", "set-pin",
];
const UNREASONED = ["agree-for-all", "set-name", "report", "deal-anew", "next-match", "lock", "set-pin"];
const TYPED = 250; // milliseconds after the last sign until it is looked at
const MOMENT = 700;

export class Rulings {
  constructor() {
    this.state = null;
    this.kind = "";
    this.given = {};
    this.title = "";
    this.looked = null;
    this.count = 0;
    find("#search").addEventListener("input", () => this.list());
    find("#search").addEventListener("keydown", (event) => this.key(event));
    find("#kinds").addEventListener("keydown", (event) => this.walk(event));
    find("#form").addEventListener("submit", (event) => { event.preventDefault(); this.make(); });
    find("#form").addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    document.addEventListener("spoken", () => { if (this.state) this.list(); });
  }

  show(state) {
    this.state = state;
    this.list();
    if (this.kind) this.look(true); // what would come of it may be another now
  }

  possible() {
    const now = this.state?.choices ?? {};
    return ORDER.filter((kind) => kind in now || ALWAYS.includes(kind)).filter((kind) => kind !== "set-pin" || !this.state.fixed_pin);
  }

  name(kind) {
    return kind === "lock" && this.state.locked ? say("director.unlock") : say(`director.${kind}`);
  }

  list() {
    if (!this.state) return;
    const wanted = find("#search").value.trim().toLocaleLowerCase();
    const found = this.possible().filter((kind) => `${this.name(kind)} ${say(`director.also.${kind}`)}`.toLocaleLowerCase().includes(wanted));
    const focused = document.activeElement?.dataset?.kind;
    find("#kinds").replaceChildren(...found.map((kind) => element("button", {
      type: "button", dataset: { kind }, "aria-pressed": String(kind === this.kind), onclick: () => this.begin(kind),
    }, this.name(kind))));
    if (focused) find(`#kinds [data-kind="${focused}"]`)?.focus();
  }

  key(event) {
    const first = find("#kinds button");
    if (!first) return;
    if (event.key === "Enter") { event.preventDefault(); first.click(); }
    if (event.key === "ArrowDown") { event.preventDefault(); first.focus(); }
    if (event.key === "Escape") { find("#search").value = ""; this.list(); }
  }

  walk(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...find("#kinds").children];
    const next = all[all.indexOf(document.activeElement) + step];
    (next ?? find("#search")).focus();
  }

  // The form

  begin(kind, given = {}, title = "") {
    this.kind = kind;
    this.given = given;
    this.title = title || this.name(kind);
    this.looked = null;
    find("#done").textContent = "";
    this.list();
    const form = find("#form");
    form.hidden = false;
    const fields = element("div", { className: "fields" }, ...this.fields());
    this.button = element("button", { className: "chief", disabled: true }, say("director.do"));
    form.replaceChildren(
      element("h3", {}, this.title),
      ...(fields.children.length ? [fields] : []),
      ...(UNREASONED.includes(kind) ? [] : this.reasons()),
      element("div", { id: "look", role: "status" }),
      element("div", { className: "ends" }, this.button,
        element("button", { type: "button", onclick: () => this.close() }, say("director.cancel"))));
    form.oninput = () => {
      this.looked = null;
      this.button.disabled = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), TYPED);
    };
    (form.querySelector("select, input") ?? this.button).focus();
    form.scrollIntoView({ block: "nearest" });
    this.look();
  }

  close() {
    this.kind = "";
    find("#form").hidden = true;
    find("#form").replaceChildren();
    this.list();
    find("#search").focus();
  }

  fields() {
    const now = this.state.choices;
    const seats = (list) => this.pick("seat", list.map((seat) => [seat, this.seat(seat)]));
    switch (this.kind) {
      case "set-score": {
        const sides = this.state.sides.map((side, at) => [side[0], `${side.map((seat) => this.seat(seat)).join(" + ")}: ${this.state.scores[at]}`]);
        return [this.pick("side", sides), this.type("score", { type: "number", min: -99999, max: 99999, step: 1 })];
      }
      case "set-turn":
      case "set-dealer":
        return [seats(now[this.kind] ?? [])];
      case "set-hand":
        return [seats(now[this.kind] ?? []), this.type("cards", { placeholder: "9C 10D JS ??", maxLength: 300 })];
      case "set-name":
        return [seats(now[this.kind]), this.type("name", { maxLength: 24 })];
      case "report":
        return this.reported(seats(this.state.names.map((_, at) => at + 1)));
      case "correct-setup": {
        const { rules, options, ways } = this.state.setup;
        const what = [["rules", say("director.rules")], ...options.map((one) => [`option:${one.name}`, `${one.title}: ${one.value}`]), ["way", say("director.way")]];
        const value = element("span", { id: "value" });
        const field = this.pick("what", what);
        const fill = () => {
          const chosen = field.querySelector("select").value;
          const option = options.find((one) => `option:${one.name}` === chosen);
          const values = chosen === "rules" ? rules : chosen === "way" ? ways : option.values;
          value.replaceChildren(values.length ? this.pick("value", values) : this.type("value", { value: option.value, inputMode: "numeric" }));
        };
        field.querySelector("select").addEventListener("change", fill);
        fill();
        return [field, value];
      }
      case "set-pin":
        return [this.type("pin", { inputMode: "numeric", pattern: "[0-9]{4,8}", maxLength: 8, autocomplete: "off" })];
      default:
        return [];
    }
  }

  reported(seats) {
    const code = this.pick("code", Object.entries(this.state.report));
    const cards = this.type("cards", { placeholder: "9C 10D", maxLength: 300 });
    const count = this.type("count", { type: "number", min: 0, max: 99 });
    const fit = () => {
      const chosen = code.querySelector("select").value;
      cards.hidden = chosen !== "exposed-card";
      count.hidden = chosen !== "wrong-count";
    };
    code.addEventListener("change", fit);
    fit();
    return [code, seats, cards, count];
  }

  seat(seat) {
    return this.state.names[seat - 1] ? `${seat} · ${this.state.names[seat - 1]}` : say("seat", { number: seat });
  }

  pick(name, options) {
    return element("label", {}, element("span", {}, say(`director.field.${name}`)),
      element("select", { name }, ...options.map(([value, words]) => element("option", { value }, words))));
  }

  type(name, properties = {}) {
    return element("label", {}, element("span", {}, say(`director.field.${name}`)),
      element("input", { name, autocomplete: "off", spellcheck: false, ...properties }));
  }

  reasons() {
    const input = this.type("reason", { maxLength: 120 });
    const chips = REASONS.map((code) => element("button", {
      type: "button",
      onclick: () => { input.querySelector("input").value = say(`director.reason.${code}`); find("#form").oninput(); },
    }, say(`director.reason.${code}`)));
    return [input, element("div", { className: "reasons" }, ...chips)];
  }

  // The instruction as it stands in the form; null while something is missing.
  wanted() {
    const form = new FormData(find("#form"));
    const told = { kind: this.kind, ...this.given };
    const reason = (form.get("reason") ?? "").trim();
    if (reason) told.reason = reason;
    for (const name of ["seat", "side"]) if (form.has(name)) told[name] = Number(form.get(name));
    switch (this.kind) {
      case "lock":
        told.locked = !this.state.locked;
        break;
      case "set-score":
        if (form.get("score") === "") return null;
        told.score = Number(form.get("score"));
        break;
      case "set-hand":
        told.cards = split(form.get("cards"));
        if (!told.cards.length) return null;
        break;
      case "set-name":
        told.name = form.get("name").trim();
        if (!told.name) return null;
        break;
      case "report":
        told.code = form.get("code");
        if (told.code === "exposed-card") {
          told.cards = split(form.get("cards"));
          if (!told.cards.length) return null;
        }
        if (told.code === "wrong-count") {
          if (form.get("count") === "") return null;
          told.count = Number(form.get("count"));
        }
        break;
      case "correct-setup": {
        const [what, option] = form.get("what").split(":");
        if (what === "option") Object.assign(told, { option, value: form.get("value") });
        else told[what] = form.get("value");
        break;
      }
      case "set-pin":
        told.pin = form.get("pin");
        if (!/^[0-9]{4,8}$/.test(told.pin)) return null;
        break;
    }
    return told;
  }

  // `again`: nothing was typed, but the table has moved on.
  async look(again = false) {
    const count = ++this.count;
    const before = again ? this.looked : null;
    const told = this.wanted();
    if (!told) return this.tell(null);
    const { status, told: look } = await send("POST", `/rulings?lang=${language()}`, { step: "look", ...told });
    if (count !== this.count || !this.kind) return;
    if (status === 200) this.tell({ ...look, told }, before);
    else this.tell({ done: false, words: look.error, changes: [] });
  }

  // Whoever was about to do what was shown `before` is told that it is another now, and has a moment to see it.
  tell(look, before = null) {
    this.looked = look?.done ? look : null;
    this.button.disabled = !this.looked;
    const another = before && look && result(before) !== result(look);
    const moved = another || (before?.moved && look?.done);
    if (this.looked) this.looked.moved = Boolean(moved);
    if (another && this.looked) {
      this.button.disabled = true;
      setTimeout(() => { this.button.disabled = !this.looked; }, MOMENT);
    }
    const box = find("#look");
    if (!box) return;
    box.className = look && !look.done ? "bad" : "";
    if (!look) {
      box.replaceChildren(say("director.fill-in"));
      return;
    }
    const changes = look.changes.map(([what, before, after]) => element("li", {}, `${this.what(what)}: ${this.word(what, before)} → ${this.word(what, after)}`));
    const words = look.done ? look.words || this.title : `${say("director.refused")} ${look.words}`;
    const first = moved ? [element("p", {}, say("director.changed"))] : [];
    box.replaceChildren(...first, element("p", {}, words), ...(changes.length ? [element("ul", {}, ...changes)] : []));
  }

  what(what) {
    const [code, facts] = what.split(":");
    return say(`director.change.${code}`, { seats: facts ?? "" });
  }

  word(what, value) {
    if (what === "standing") return say(`director.standing.${value}`);
    return value === "" ? "–" : value;
  }

  async make() {
    if (!this.looked) return;
    const { told, state } = this.looked;
    const title = this.title;
    this.button.disabled = true;
    const { status, told: answer } = await send("POST", `/rulings?lang=${language()}`, { step: "do", state, ...told });
    if (status === 200) {
      find("#search").value = "";
      this.close();
      find("#done").textContent = say("director.done", { what: title });
    } else if (status === 409) {
      this.tell({ ...answer, told }, { ...this.looked, moved: true });
    } else {
      this.tell({ done: false, words: answer.error, changes: [] });
    }
  }
}

function result(look) {
  return JSON.stringify([look.done, look.words, look.changes]);
}

function split(text) {
  return text.trim().toUpperCase().split(/\s+/).filter(Boolean);
}
