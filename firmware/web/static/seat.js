// A seat: its display, buttons, light, reader and hand. Buttons are held for as long as they are pressed.

import { element, say } from "/static/base.js";
import { draw } from "/static/displays.js";

const BUTTONS = [["left", "◀", "Z"], ["ok", "OK", "X"], ["right", "▶", "C"]];

export class Seat {
  constructor(facts, line) {
    this.number = facts.seat;
    this.line = line;
    this.canvas = element("canvas", { role: "img", width: 128, height: 64, dataset: { place: facts.seat } });
    this.cover = element("span", { className: "cover" });
    this.device = element("div", { className: "device" }, this.canvas, this.cover);
    this.lamp = element("span", { className: "lamp" });
    this.name = element("span", { className: "name" });
    this.bot = element("button", { className: "bot", onclick: () => line.send({ do: "bot", seat: this.number, on: !this.facts.bot }) });
    this.keys = element("div", { className: "keys" }, ...BUTTONS.map((one) => this.key(...one)));
    this.hand = element("div", { className: "hand", role: "group", dataset: { zone: "hand", seat: this.number } });
    this.pad = element("div", { className: "pad", role: "group", dataset: { zone: "pad", reader: facts.reader ?? "" } }, element("span", { className: "pad-name" }));
    this.root = element("section", { className: "seat" }, element("header", {}, this.lamp, this.name, this.bot), this.device, this.keys, this.pad, this.hand);
    this.pad.hidden = !facts.reader;
    this.device.hidden = !facts.display;
    this.lamp.hidden = !facts.led;
    this.down = new Set();
    this.tell(facts);
  }

  key(button, sign, letter) {
    const one = element("button", { className: "key", type: "button" }, sign, element("kbd", {}, letter));
    one.dataset.button = button;
    const press = () => { this.press(button); };
    const release = () => { this.release(button); };
    one.addEventListener("pointerdown", (event) => { if (event.button === 0) { one.setPointerCapture(event.pointerId); press(); } });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) one.addEventListener(end, release);
    one.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) press();
    });
    one.addEventListener("keyup", (event) => { if (event.key === "Enter" || event.key === " ") release(); });
    one.addEventListener("contextmenu", (event) => event.preventDefault());
    return one;
  }

  press(button) {
    if (this.down.has(button)) return;
    this.down.add(button);
    this.shownDown(button, true);
    this.line.send({ do: "press", seat: this.number, button });
  }

  release(button) {
    if (!this.down.delete(button)) return;
    this.shownDown(button, false);
    this.line.send({ do: "release", seat: this.number, button });
  }

  shownDown(button, down) {
    this.keys.querySelector(`[data-button=${button}]`).classList.toggle("down", down);
  }

  tell(facts) {
    this.facts = facts;
    const title = say("seat", { number: facts.seat });
    this.name.textContent = facts.name ? `${facts.seat} · ${facts.name}` : title;
    this.root.setAttribute("aria-label", title);
    this.canvas.setAttribute("aria-label", say("sim.display", { number: facts.seat }));
    this.cover.textContent = say("sim.covered");
    this.bot.textContent = say("sim.bot");
    this.bot.setAttribute("aria-pressed", String(facts.bot));
    this.bot.setAttribute("aria-label", say("sim.bot.at", { number: facts.seat }));
    this.pad.querySelector(".pad-name").textContent = say("sim.pad.seat");
    this.pad.setAttribute("aria-label", say("sim.zone.pad", { number: facts.seat }));
    this.hand.setAttribute("aria-label", say("sim.zone.hand", { number: facts.seat }));
    for (const [button, name] of [["left", "sim.key.left"], ["ok", "sim.key.ok"], ["right", "sim.key.right"]]) {
      this.keys.querySelector(`[data-button=${button}]`).setAttribute("aria-label", say(name, { number: facts.seat }));
    }
  }

  show(glass) {
    this.device.classList.toggle("covered", Boolean(glass.covered));
    if (glass.covered) return;
    draw(this.canvas, glass);
    this.canvas.style.opacity = String(0.35 + 0.65 * Math.min(1, glass.contrast / 160));
  }

  light(lit) {
    this.lamp.classList.toggle("lit", lit);
    this.root.classList.toggle("turn", lit);
  }

  colour(colours) {
    const [red, green, blue] = colours;
    const lit = red + green + blue > 0;
    this.lamp.hidden = false;
    this.lamp.style.background = lit ? `rgb(${red} ${green} ${blue})` : "";
    this.lamp.style.boxShadow = lit ? `0 0 9px 3px rgb(${red} ${green} ${blue} / 0.7)` : "";
  }

  own(is) {
    this.root.classList.toggle("own", is);
    this.hand.dataset.empty = is ? say("sim.hand.empty") : "";
  }
}
