// Hands: cards are dragged, or picked up and put down by keys or by clicks.

import { say } from "/static/base.js";

const FAR = 6; // pixels from which a press is a drag

export class Hands {
  // `put(card, zone, point)` is called when a card is put down; `tell(text)` says something to screen readers.
  constructor(table, put, tell) {
    this.table = table;
    this.put = put;
    this.tell = tell;
    this.carried = null;
    document.addEventListener("keydown", (event) => this.key(event));
    table.addEventListener("click", (event) => this.click(event));
  }

  // Called once for each card element.
  follow(card) {
    card.addEventListener("pointerdown", (event) => this.grab(card, event));
    card.addEventListener("dblclick", () => this.show(card));
  }

  grab(card, event) {
    if (event.button !== 0 || card.disabled || card.dataset.fixed) return;
    const start = { x: event.clientX, y: event.clientY };
    let dragged = false;
    let over = null;
    const home = card.getBoundingClientRect();
    card.setPointerCapture(event.pointerId);
    const move = (at) => {
      const [dx, dy] = [at.clientX - start.x, at.clientY - start.y];
      if (!dragged && Math.hypot(dx, dy) < FAR) return;
      if (!dragged) {
        dragged = true;
        this.drop();
        card.classList.add("dragged");
      }
      card.style.translate = `${dx}px ${dy}px`;
      const zone = this.zoneAt(at.clientX, at.clientY);
      if (zone !== over) {
        over?.classList.remove("over");
        zone?.classList.add("over");
        over = zone;
      }
    };
    const end = (at) => {
      card.removeEventListener("pointermove", move);
      card.removeEventListener("pointerup", end);
      card.removeEventListener("pointercancel", end);
      over?.classList.remove("over");
      if (!dragged) return;
      card.dataset.dragged = "1";
      setTimeout(() => { delete card.dataset.dragged; }, 50);
      const zone = at.type === "pointerup" ? this.zoneAt(at.clientX, at.clientY) : null;
      card.classList.remove("dragged");
      if (zone) this.put(card, zone, { x: at.clientX, y: at.clientY, from: home });
      const back = () => { card.style.translate = ""; };
      if (zone) setTimeout(back, 350); // until the table has it there
      else back();
    };
    card.addEventListener("pointermove", move);
    card.addEventListener("pointerup", end);
    card.addEventListener("pointercancel", end);
  }

  zoneAt(x, y) {
    for (const one of document.elementsFromPoint(x, y)) {
      const zone = one.closest("[data-zone]");
      if (zone) return zone;
    }
    return null;
  }

  // Picking up and putting down

  click(event) {
    const card = event.target.closest(".card");
    if (card?.dataset.dragged) return;
    const zone = event.target.closest("[data-zone]");
    if (this.carried && zone && (!card || card === this.carried || zone.dataset.zone !== "hand")) {
      if (card === this.carried) this.drop();
      else this.down(zone, event.detail ? event : null);
    } else if (card && !card.disabled && !card.dataset.fixed) {
      this.pick(card);
    }
  }

  pick(card) {
    this.drop();
    this.carried = card;
    card.classList.add("carried");
    document.body.classList.add("carrying");
    for (const zone of this.zones()) zone.tabIndex = 0;
    this.tell(say("sim.picked", { card: card.dataset.name }));
  }

  drop() {
    this.carried?.classList.remove("carried");
    this.carried = null;
    document.body.classList.remove("carrying");
    for (const zone of this.zones()) zone.removeAttribute("tabindex");
  }

  down(zone, event) {
    const card = this.carried;
    const next = card.nextElementSibling ?? card.previousElementSibling;
    this.drop();
    const box = zone.getBoundingClientRect();
    const point = event ? { x: event.clientX, y: event.clientY } : { x: box.x + box.width / 2, y: box.y + box.height * 0.72 };
    this.put(card, zone, point);
    this.tell(say("sim.put", { place: zone.getAttribute("aria-label") ?? "" }));
    if (!event && next?.classList.contains("card")) next.focus();
  }

  // Show a card to the reader of the own seat, else to the one in the middle.
  show(card) {
    const pad = this.zones().find((zone) => zone.dataset.zone === "pad");
    if (pad && !card.disabled && !card.dataset.fixed) {
      this.drop();
      this.put(card, pad, { x: 0, y: 0 });
    }
  }

  // The zones in the order in which keys go through them: the own reader first.
  zones() {
    const all = [...this.table.querySelectorAll("[data-zone]")].filter((zone) => zone.offsetParent !== null);
    const rank = (zone) => {
      if (zone.closest(".own")) return zone.dataset.zone === "pad" ? 0 : 5;
      return { pad: zone.closest(".seat") ? 4 : 1, felt: 2, stock: 3, pile: 3, hand: 6 }[zone.dataset.zone] ?? 7;
    };
    return all.sort((one, other) => rank(one) - rank(other));
  }

  key(event) {
    const card = event.target.closest?.(".card");
    const zone = event.target.closest?.("[data-zone]");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (this.carried && event.key === "Escape") {
      const back = this.carried;
      this.drop();
      back.focus();
      this.tell(say("sim.dropped"));
    } else if (this.carried && (step || event.key === "Tab")) {
      const zones = this.zones();
      const at = zones.indexOf(zone && event.target === zone ? zone : null);
      const by = event.key === "Tab" ? (event.shiftKey ? -1 : 1) : step;
      zones.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by + zones.length) % zones.length).focus();
    } else if (this.carried && event.target === zone && (event.key === "Enter" || event.key === " ")) {
      this.down(zone, null);
    } else if (card && event.key === "Enter") {
      this.pick(card);
      this.zones()[0]?.focus();
    } else if (card && step) {
      const cards = [...card.parentElement.querySelectorAll(".card:not(:disabled)")];
      cards[(cards.indexOf(card) + step + cards.length) % cards.length]?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
