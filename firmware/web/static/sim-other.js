// The dialog for another table: game, options of its rules, who plays, and which seats are bots.

import { element, language, say } from "/static/base.js";

const API = "/api/v1";
const find = (query) => document.querySelector(query);
const DEALT = { seats: ["pad", "scan-in", "concealed"], centre: ["pad", "concealed"], none: ["concealed"] };

export class Other {
  // `scene` gives what there is at the table now.
  constructor(line, scene) {
    this.line = line;
    this.scene = scene;
    this.dialog = find("#other");
    find("#new").addEventListener("click", () => this.open());
    this.field("game").addEventListener("change", () => this.game());
    this.field("rules").addEventListener("change", () => this.options());
    this.field("seats").addEventListener("change", () => this.players());
    this.field("readers").addEventListener("change", () => this.ways());
    find("#other-options").addEventListener("input", () => this.changes());
    this.dialog.addEventListener("invalid", (event) => { event.target.closest("details").open = true; }, true); // to be seen
    find("#other-cancel").addEventListener("click", () => this.dialog.close());
    find("#other form").addEventListener("submit", (event) => {
      event.preventDefault(); // it closes when the table is there
      this.go();
    });
  }

  field(name) {
    return find(`#other [name=${name}]`);
  }

  async open() {
    this.choices ??= await (await fetch(`${API}/sim/tables`)).json();
    const scene = this.scene();
    this.fill("game", this.choices.games.map((game) => [game.name, game.title[language()]]), scene.game);
    this.fill("readers", this.choices.readers.map((one) => [one, say(`sim.readers.${one}`)]), "seats");
    this.fill("deal", this.choices.ways.map((one) => [one, say(`sim.way.${one}`)]), "pad");
    this.named = scene.seats.map((seat) => seat.name);
    this.bots = scene.seats.map((seat) => seat.bot);
    find("#other-wrong").textContent = "";
    for (const part of this.dialog.querySelectorAll("details")) part.open = false;
    this.game();
    this.ways();
    this.dialog.showModal();
  }

  fill(name, pairs, chosen) {
    this.field(name).replaceChildren(...pairs.map(([value, text]) => element("option", { value: String(value) }, text)));
    this.field(name).value = String(chosen);
  }

  get played() {
    return this.choices.games.find((game) => game.name === this.field("game").value);
  }

  get rules() {
    return this.played.rules.find((rules) => rules.name === this.field("rules").value);
  }

  // What depends on what

  game() {
    const { rules, seats } = this.played;
    this.fill("rules", rules.map((one) => [one.name, one.title[language()]]), rules[0].name);
    this.fill("seats", seats.map((count) => [count, String(count)]), seats.includes(4) ? 4 : seats.at(-1));
    this.options();
    this.players();
  }

  options() {
    const given = this.rules.options;
    find("#other-options").replaceChildren(...this.played.options.map((option) => element("label", { className: "row" },
      element("span", {}, option.title[language()]),
      this.value(option, given[option.name]))));
    this.changes();
  }

  // A few values are listed, a number is typed.
  value({ name, values, least, most }, given) {
    const dataset = { option: name };
    if (!values) return element("input", { type: "number", min: String(least), max: String(most), step: "1", required: true, value: given, dataset });
    const list = element("select", { dataset }, ...values.map(({ value, title }) => element("option", { value }, title[language()])));
    list.value = given;
    return list;
  }

  changed() {
    const fields = [...document.querySelectorAll("#other-options [data-option]")];
    return fields.map((field) => [field.dataset.option, field.value]).filter(([name, value]) => value !== this.rules.options[name]);
  }

  changes() {
    const count = this.changed().length;
    find("#other-changed").textContent = count ? say("sim.new.changed", { count }) : "";
  }

  players() {
    this.remember();
    const seats = Array.from({ length: Number(this.field("seats").value) }, (_, at) => at);
    find("#other-players").replaceChildren(...seats.map((at) => {
      const seat = say("seat", { number: at + 1 });
      return element("div", { className: "row player" },
        element("input", { type: "text", maxLength: 24, autocomplete: "off", placeholder: seat, value: this.named[at] ?? "", "aria-label": say("sim.new.name", { seat }) }),
        element("label", {}, element("input", { type: "checkbox", checked: this.bots[at] ?? true, "aria-label": say("sim.new.bot", { seat }) }), ` ${say("sim.bot")}`));
    }));
  }

  // What was typed stays where seats come and go.
  remember() {
    document.querySelectorAll("#other-players .player").forEach((row, at) => {
      [this.named[at], this.bots[at]] = [row.querySelector("[type=text]").value, row.querySelector("[type=checkbox]").checked];
    });
  }

  ways() {
    const fits = DEALT[this.field("readers").value];
    for (const option of this.field("deal").options) option.disabled = !fits.includes(option.value);
    if (!fits.includes(this.field("deal").value)) this.field("deal").value = fits[0];
  }

  // To the table

  go() {
    this.remember();
    const said = Object.fromEntries(["game", "rules", "readers", "deal"].map((name) => [name, this.field(name).value]));
    const seats = Number(this.field("seats").value);
    const typed = Array.from({ length: seats }, (_, at) => (this.named[at] ?? "").trim());
    const names = typed.some(Boolean) ? typed.map((name, at) => name || say("seat", { number: at + 1 })) : [];
    const bots = typed.map((_, at) => at + 1).filter((seat) => this.bots[seat - 1]);
    find("#other-wrong").textContent = "";
    this.line.send({ do: "table", ...said, seats, options: Object.fromEntries(this.changed()), names, bots, language: language() });
  }

  // Another table is there.
  done() {
    if (!this.dialog.open) return;
    this.dialog.close();
    if (!find("#menu").hidden) find("#more").click();
  }

  // Whether it was this dialog's wish that cannot be.
  wrong({ code, says }) {
    if (!this.dialog.open) return false;
    find("#other-wrong").textContent = code === "no-table" ? says : say(`sim.error.${code}`);
    return true;
  }
}
