// The menu: where one sits, what goes wrong, other tables, recordings.

import { element, say, language } from "/static/base.js";

const API = "/api/v1";
const find = (query) => document.querySelector(query);

export class Menu {
  constructor(line, sit) {
    this.line = line;
    this.open = new Set();
    find("#more").addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !find("#menu").hidden) this.toggle(); });
    find("#sit").addEventListener("change", (event) => sit(Number(event.target.value)));
    find("#all").addEventListener("change", (event) => sit(this.state.viewer, event.target.checked));
    find("#tidy").addEventListener("change", (event) => line.send({ do: "tidy", on: event.target.checked }));
    find("#shuffle").addEventListener("click", () => line.send({ do: "shuffle" }));
    find("#restart").addEventListener("click", () => line.send({ do: "restart" }));
  }

  toggle() {
    const menu = find("#menu");
    menu.hidden = !menu.hidden;
    find("#more").setAttribute("aria-expanded", String(!menu.hidden));
    (menu.hidden ? find("#more") : find("#sit")).focus();
  }

  tell(state) {
    this.state = state;
    const seats = state.scene?.seats ?? [];
    const names = seats.map((seat) => [seat.seat, say("seat", { number: seat.seat }) + (seat.name ? ` · ${seat.name}` : "")]);
    const sit = find("#sit");
    if (sit.dataset.names !== JSON.stringify(names)) {
      sit.dataset.names = JSON.stringify(names);
      sit.replaceChildren(...names.map(([value, text]) => element("option", { value: String(value) }, text)));
    }
    sit.value = String(state.viewer);
    find("#all").checked = state.all;
    find("#tidy").checked = state.cards?.tidy ?? true;
  }

  faults(list) {
    this.listed = list;
    const parent = find("#faults");
    parent.replaceChildren(...list.map((fault) => this.fault(fault)));
  }

  fault({ name, places }) {
    const on = places.some((place) => place.on);
    const switches = places.map((place) => element("button", {
      type: "button", "aria-pressed": String(place.on),
      onclick: () => this.line.send({ do: "fault", name, place: place.place, on: !place.on }),
    }, this.placeName(place)));
    const details = element("details", { className: on ? "fault on" : "fault", open: on || this.open.has(name) },
      element("summary", {}, say(`fault.${name}`)),
      element("div", { className: "places" }, ...switches));
    details.addEventListener("toggle", () => { if (details.open) this.open.add(name); else this.open.delete(name); });
    return details;
  }

  placeName({ at, reader, seat }) {
    if (at === "reader") {
      const own = /^seat (\d+)/.exec(reader);
      return own ? say("fault.at.reader", { number: own[1] }) : say(`sim.pad.${reader.split(" ")[0]}`);
    }
    return say(`fault.at.${at}`, { number: seat });
  }
}

export { API, language };
