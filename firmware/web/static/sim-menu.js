// The menu: where one sits, what goes wrong, recordings.

import { element, say } from "/static/base.js";

const API = "/api/v1";
const find = (query) => document.querySelector(query);

export class Menu {
  // `wrong` is told the code of what could not be done.
  constructor(line, sit, buzzer, wrong) {
    this.line = line;
    this.wrong = wrong;
    document.addEventListener("spoken", () => { if (this.listed) this.faults(this.listed); });
    find("#more").addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !find("#menu").hidden) this.toggle(); });
    find("#sit").addEventListener("change", (event) => sit(Number(event.target.value)));
    find("#all").addEventListener("change", (event) => sit(this.state.viewer, event.target.checked));
    find("#tidy").addEventListener("change", (event) => line.send({ do: "tidy", on: event.target.checked }));
    find("#shuffle").addEventListener("click", () => line.send({ do: "shuffle" }));
    find("#restart").addEventListener("click", () => line.send({ do: "restart" }));
    find("#sound").addEventListener("change", (event) => buzzer.switch(event.target.checked));
    find("#sound").checked = buzzer.on;
    find("#script").addEventListener("click", () => this.save("/sim/script", "session.table"));
    find("#capture").addEventListener("click", () => line.send({ do: "capture" }));
    find("#captured").addEventListener("click", () => this.endCapture());
  }

  // Recordings

  async save(path, name) {
    const answer = await fetch(`${API}${path}${this.state.all ? "?all=1" : ""}`);
    if (!answer.ok) {
      this.wrong((await answer.json()).error);
      return;
    }
    const link = element("a", { href: URL.createObjectURL(await answer.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  endCapture() {
    if (this.state.scene.capture === "running") {
      this.saving = true;
      this.line.send({ do: "restart" });
    } else this.save("/sim/capture", "session.capture");
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
    const capture = state.scene?.capture ?? "none";
    find("#captured").hidden = capture === "none";
    find("#capture").hidden = capture === "running";
    if (this.saving && capture === "ended") {
      this.saving = false;
      this.save("/sim/capture", "session.capture");
    }
  }

  // Where the places are the same, their switches stay, with the focus that one of them may have.
  faults(list) {
    const shape = JSON.stringify([document.documentElement.lang, list.map(({ name, places }) => [name, places.map((place) => this.placeName(place))])]);
    if (shape !== this.shape) {
      this.shape = shape;
      find("#faults").replaceChildren(...list.map((fault) => this.fault(fault)));
    }
    this.listed = list;
    for (const { name, places } of list) {
      const details = find(`details[data-fault="${name}"]`);
      details.classList.toggle("on", places.some((place) => place.on));
      places.forEach((place, at) => details.querySelectorAll("button")[at].setAttribute("aria-pressed", String(place.on)));
    }
  }

  fault({ name, places }) {
    const isOn = (number) => this.listed.find((one) => one.name === name).places[number].on;
    const switches = places.map(({ place, ...where }) => element("button", {
      type: "button", onclick: () => this.line.send({ do: "fault", name, place, on: !isOn(place) }),
    }, this.placeName(where)));
    return element("details", { className: "fault", dataset: { fault: name } },
      element("summary", {}, say(`fault.${name}`)),
      element("div", { className: "places" }, ...switches));
  }

  placeName({ at, reader, seat }) {
    if (at === "reader") {
      const own = /^seat (\d+)/.exec(reader);
      return own ? say("fault.at.reader", { number: own[1] }) : say(`sim.pad.${reader.split(" ")[0]}`);
    }
    return say(`fault.at.${at}`, { number: seat });
  }
}
