// The cards on the table: where each is, moved there from where it was.

import { element, say } from "/static/base.js";
import { nameOf, picture } from "/static/card.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const MOVED = 220; // milliseconds

export class Felt {
  // `seats` are the seats by their numbers, `made` is called with each new card.
  constructor(root, seats, made) {
    this.root = root;
    this.seats = seats;
    this.made = made;
    this.cards = new Map();
    this.melds = new Map();
    this.viewer = 1;
    this.count = 4;
  }

  // The way from the middle of the table to a seat, as it is seen with the viewed seat at the bottom.
  towards(seat) {
    const turn = (2 * Math.PI * (seat - this.viewer)) / this.count;
    return [-Math.sin(turn), Math.cos(turn)];
  }

  // From the table's own directions, seat 1 at the bottom, to the viewer's; and back.
  turned(x, y, back = false) {
    const turn = ((back ? -1 : 1) * 2 * Math.PI * (this.viewer - 1)) / this.count;
    return [Math.cos(turn) * x + Math.sin(turn) * y, -Math.sin(turn) * x + Math.cos(turn) * y];
  }

  coordinates(clientX, clientY) {
    const box = this.root.getBoundingClientRect();
    const seen = [(2 * (clientX - box.x)) / box.width - 1, (2 * (clientY - box.y)) / box.height - 1];
    const [x, y] = this.turned(...seen, true);
    const within = (value) => Math.max(-1, Math.min(1, Number(value.toFixed(3))));
    return { x: within(x), y: within(y) };
  }

  show(state) {
    const before = new Map([...this.cards].map(([id, card]) => [id, card.getBoundingClientRect()]));
    const focused = document.activeElement;
    const rows = new Map();
    const there = new Set();
    for (const one of state.cards) {
      const card = this.card(one);
      there.add(one.id);
      const row = this.row(one);
      if (!rows.has(row)) rows.set(row, []);
      rows.get(row).push([one, card]);
    }
    for (const [id, card] of [...this.cards]) {
      if (!there.has(id)) {
        card.remove();
        this.cards.delete(id);
      }
    }
    for (const [row, cards] of rows) this.arrange(row, cards);
    for (const [key, meld] of [...this.melds]) {
      if (!rows.has(meld)) {
        meld.remove();
        this.melds.delete(key);
      }
    }
    for (const seat of this.root.querySelectorAll(".melds")) if (!seat.querySelector(".meld")) seat.remove();
    this.root.classList.toggle("melded", this.melds.size > 0);
    this.root.classList.toggle("tricked", state.cards.some((one) => one.at === "trick"));
    this.count_(state);
    if (focused?.isConnected && focused !== document.activeElement && focused !== document.body) focused.focus({ preventScroll: true });
    this.move(before);
  }

  count_(state) {
    for (const [name, count] of [["stock", state.stock], ["pile", state.cards.filter((one) => one.at === "pile").length]]) {
      const slot = this.root.querySelector(`#${name}`);
      slot.querySelector(".count")?.remove();
      if (count) slot.append(element("span", { className: "count" }, String(count)));
      slot.setAttribute("aria-label", say(`sim.zone.${name}`, { count }));
      slot.classList.toggle("empty", !count);
    }
    const away = this.root.querySelector("#away");
    away.hidden = !state.away;
    away.textContent = say("sim.away", { count: state.away });
  }

  card(one) {
    let card = this.cards.get(one.id);
    if (!card) {
      card = element("button", { className: "card", type: "button" });
      card.dataset.id = one.id;
      this.cards.set(one.id, card);
      this.made(card);
    }
    const looks = `${one.face ?? ""} ${one.pack ?? ""} ${document.documentElement.lang} ${say("rank.letter.K")}`; // words may come after the cards
    if (card.dataset.looks !== looks) {
      card.dataset.looks = looks;
      card.replaceChildren(picture(one.face, one.pack));
    }
    card.dataset.at = one.at;
    card.dataset.name = nameOf(one.face);
    card.setAttribute("aria-label", this.named(one));
    const movable = one.at !== "hand" || Boolean(one.face);
    card.disabled = !movable;
    return card;
  }

  named(one) {
    const own = one.at === "hand" && one.seat === this.viewer;
    return say(own ? "sim.card.own" : `sim.card.${one.at}`, { card: nameOf(one.face), number: one.seat });
  }

  row(one) {
    if (one.at === "hand") return this.seats.get(one.seat)?.hand ?? this.root;
    if (one.at === "pad") return document.querySelector(`.pad[data-reader="${one.where}"]`) ?? this.root;
    if (one.at === "stock" || one.at === "pile") return this.root.querySelector(`#${one.at}`);
    if (one.at === "meld") return this.meld(one.seat, one.index);
    return this.root.querySelector("#loose");
  }

  // A meld lies with the others of its seat: in front of it, or, where there is no room, in a strip below the middle.
  meld(seat, number) {
    const key = `${seat} ${number}`;
    if (!this.melds.has(key)) this.melds.set(key, element("div", { className: "meld", dataset: { number } }));
    const made = this.melds.get(key);
    const all = this.meldsOf(seat);
    if (made.parentElement !== all) {
      const later = [...all.children].find((one) => Number(one.dataset.number) > number);
      all.insertBefore(made, later ?? null);
    }
    return made;
  }

  meldsOf(seat) {
    const parent = this.root.querySelector("#melds");
    let all = parent.querySelector(`[data-seat="${seat}"]`);
    if (!all) {
      all = element("div", { className: "melds", dataset: { seat } }, element("span", { className: "whose", "aria-hidden": "true" }, String(seat)));
      const later = [...parent.children].find((one) => Number(one.dataset.seat) > seat);
      parent.insertBefore(all, later ?? null);
    }
    const [x, y] = this.towards(seat);
    const side = x < -0.5 ? "west" : x > 0.5 ? "east" : y < 0 ? "north" : "south";
    all.className = `melds ${side}`;
    all.style.top = side === "west" || side === "east" ? `${50 + 40 * y}%` : "";
    all.style.left = side === "north" || side === "south" ? `${50 + 37 * x}%` : "";
    return all;
  }

  arrange(row, cards) {
    const order = (one) => (one.at === "meld" ? one.within : one.index) ?? 0;
    cards.sort(([one], [other]) => order(one) - order(other));
    cards.forEach(([one, card], at) => {
      const shown = [...row.children].filter((child) => child.classList.contains("card"));
      if (shown[at] !== card) row.insertBefore(card, shown[at] ?? null);
      card.style.left = card.style.top = "";
      if (one.at === "felt" || one.at === "trick") {
        const [x, y] = one.at === "felt" ? this.turned(one.x, one.y) : this.towards(one.seat).map((way, axis) => way * (axis ? 0.62 : 0.52));
        card.style.left = `${50 + 50 * x}%`;
        card.style.top = `${50 + 50 * y}%`;
      }
    });
  }

  move(before) {
    if (STILL.matches) return;
    for (const [id, card] of this.cards) {
      const was = before.get(id);
      if (!was || !was.width) continue;
      const is = card.getBoundingClientRect();
      const [dx, dy] = [was.x - is.x, was.y - is.y];
      if (Math.hypot(dx, dy) > 4) {
        card.style.translate = "";
        card.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }], { duration: MOVED, easing: "ease-out" });
      }
    }
  }
}
