// The simulated table, seen from above.

import { Line, begin, element, say, language } from "/static/base.js";
import { Felt } from "/static/felt.js";
import { Hands } from "/static/hands.js";
import { Menu } from "/static/sim-menu.js";
import { Other } from "/static/sim-other.js";
import { Seat } from "/static/seat.js";
import { Buzzer } from "/static/sim-sound.js";

const KEYS = { KeyZ: "left", KeyX: "ok", KeyC: "right", ArrowLeft: "left", ArrowDown: "ok", Enter: "ok", ArrowRight: "right" };
const NARROW = matchMedia("(max-width: 44rem)");

const find = (query) => document.querySelector(query);
const line = new Line("/sim");
const seats = new Map();
const state = { viewer: Number(sessionStorage.getItem("seat")) || 0, all: sessionStorage.getItem("all") === "1", scene: null, cards: null };
const table = find("#table");
const buzzer = new Buzzer();
const hands = new Hands(table, put, (text) => { find("#told").textContent = text; });
const felt = new Felt(find("#felt"), seats, (card) => hands.follow(card));
const menu = new Menu(line, sit, buzzer, wrong);
const other = new Other(line, () => state.scene);
const shown = {};

// What hands do

function put(card, zone, point) {
  const id = Number(card.dataset.id);
  switch (zone.dataset.zone) {
    case "pad": return line.send({ do: "pad", card: id, reader: zone.dataset.reader });
    case "felt": return line.send({ do: "felt", card: id, ...felt.coordinates(point.x, point.y), open: card.dataset.at !== "stock" });
    case "hand": return line.send({ do: "hand", card: id, seat: Number(zone.dataset.seat), ...place(card, zone, point) });
    default: return line.send({ do: "put", card: id, where: zone.dataset.zone });
  }
}

// The place among the cards of the own hand that a card was dropped at.
function place(card, zone, point) {
  const others = [...zone.querySelectorAll(".card")].filter((one) => one !== card);
  const at = others.findIndex((one) => { const box = one.getBoundingClientRect(); return point.x < box.x + box.width / 2; });
  return zone.closest(".own") && point.x ? { index: at < 0 ? others.length : at } : {};
}

function sit(viewer, all = state.all) {
  Object.assign(state, { viewer, all });
  sessionStorage.setItem("seat", String(viewer));
  sessionStorage.setItem("all", all ? "1" : "0");
  line.send({ do: "sit", seat: viewer, all });
  if (state.scene) lay();
}

// What there is

function own() {
  return seats.get(state.viewer);
}

// A person sits where no bot does, if there is such a place.
function firstSeat(scene) {
  return (scene.seats.find((seat) => !seat.bot) ?? scene.seats[0]).seat;
}

function lay() {
  const { scene } = state;
  const count = scene.seats.length;
  felt.viewer = state.viewer;
  felt.count = count;
  for (const facts of scene.seats) {
    if (!seats.has(facts.seat)) seats.set(facts.seat, new Seat(facts, line));
    seats.get(facts.seat).tell(facts);
  }
  for (const [number, seat] of [...seats]) {
    if (number > count) {
      seat.root.remove();
      seats.delete(number);
    }
  }
  const sides = { left: [], top: [], right: [] };
  for (let turn = 1; turn < count; turn++) {
    const number = ((state.viewer - 1 + turn) % count) + 1;
    sides[side(turn, count)].push(number);
  }
  for (const [name, numbers] of Object.entries(sides)) {
    const there = numbers.map((number) => seats.get(number).root);
    const parent = find(`#${name}`);
    if (there.length !== parent.children.length || there.some((one, at) => parent.children[at] !== one)) parent.replaceChildren(...there);
  }
  if (own() && own().root.parentElement !== find("#own")) find("#own").replaceChildren(own().root);
  for (const seat of seats.values()) seat.own(seat.number === state.viewer);
  pads(scene.pads);
  find("#game").textContent = scene.title[language()] ?? scene.game;
  find("#deal").hidden = !scene.due || scene.dealing || scene.seats.every((seat) => seat.bot);
  menu.tell(state);
  about(scene);
  if (state.cards) felt.show(state.cards);
}

// What becomes of the match at another table, and which language the displays speak.
function about({ journals, language: spoken }) {
  const [now, next] = journals ?? ["", ""];
  find("#other-about").textContent = say(now ? "sim.new.about.kept" : next ? "sim.new.about.next" : "sim.new.about", { now, next });
  find("#spoken").textContent = say(`sim.spoken.${spoken}`);
}

function side(turn, count) {
  if (NARROW.matches) return "top";
  const lefts = count === 2 ? 0 : count < 7 ? 1 : 2;
  return turn <= lefts ? "left" : turn >= count - lefts ? "right" : "top";
}

function pads(wanted) {
  const parent = find("#pads");
  const now = [...parent.children].map((pad) => pad.dataset.reader);
  if (now.join() !== wanted.map((pad) => pad.name).join()) {
    parent.replaceChildren(...wanted.map((pad) => element("div", { className: "pad", role: "group", dataset: { zone: "pad", reader: pad.name, role: pad.role } }, element("span", { className: "pad-name" }))));
  }
  for (const pad of parent.children) {
    const name = say(`sim.pad.${pad.dataset.role}`);
    pad.querySelector(".pad-name").textContent = say(`sim.pad.${pad.dataset.role}.short`);
    pad.setAttribute("aria-label", name);
    pad.classList.toggle("lively", pad.dataset.role === "dealing" && state.scene.due);
  }
}

// What is said

function hint({ seat, code, of, reads }) {
  if (seat !== state.viewer) return;
  const text = find("#hint");
  const name = state.scene?.seats[of - 1]?.name || say("seat", { number: of });
  text.textContent = say(`sim.hint.${code}`, { name });
  text.classList.toggle("bad", ["refused", "not-drawn", "stuck"].includes(code));
  find("#felt").classList.toggle("calm", code === "show");
  own()?.pad.classList.toggle("lively", reads && ["show", "show-or-answer", "draw", "refused"].includes(code));
}

// What went wrong is settled when its line is gone.
function said({ viewer, lines }) {
  if (viewer !== (state.all ? -1 : state.viewer)) return;
  const text = find("#said");
  const [, , words, bad] = lines.at(-1) ?? [0, 0, {}, false];
  const now = words[language()] ?? words.en ?? "";
  if (text.textContent !== now) text.textContent = now;
  text.classList.toggle("bad", bad);
}

line.on("any", ({ topic, value }) => {
  const [name, number] = [topic.split(":")[0], Number(topic.split(":")[1])];
  const mine = state.all || number === state.viewer;
  if (value === null && number) return;
  shown[topic] = value;
  if (name === "scene") {
    if (state.scene && state.scene.table !== value.table) renew();
    state.scene = value;
    if (!state.viewer || state.viewer > value.seats.length) sit(firstSeat(value));
    else lay();
  } else if (name === "glass" || (name === "display" && !mine)) seats.get(number)?.show(value);
  else if (name === "light") seats.get(number)?.light(value);
  else if (name === "strip" && value) strip(value);
  else if (name === "sound") buzzer.sounding(value);
  else if (name === "cards" && number === (state.all ? -1 : state.viewer)) {
    state.cards = value;
    menu.tell(state);
    felt.show(value);
  } else if (name === "said") said(value);
  else if (name === "hint") hint(value);
  else if (name === "faults") menu.faults(value);
  else if (name === "error") wrong(value);
  if (name === "scene") redraw();
});

// Another table: nothing of this one is left.
function renew() {
  for (const seat of seats.values()) seat.root.remove();
  seats.clear();
  for (const topic of Object.keys(shown)) delete shown[topic];
  state.viewer = 0;
  find("#said").textContent = "";
  other.done();
}

// What came before the seats were there is shown now.
function redraw() {
  for (const [topic, value] of Object.entries(shown)) {
    const [name, number] = [topic.split(":")[0], Number(topic.split(":")[1])];
    const mine = state.all || number === state.viewer;
    if (name === "glass" ? mine : name === "display" && !mine) seats.get(number)?.show(value);
    if (name === "light") seats.get(number)?.light(value);
    if (name === "hint") hint(value);
    if (name === "said") said(value);
  }
}

function strip(colours) {
  const each = colours.length / seats.size;
  for (const seat of seats.values()) seat.colour(colours[Math.floor((seat.number - 1) * each)] ?? [0, 0, 0]);
}

function wrong({ code, says }) {
  if (other.wrong({ code, says })) return;
  const text = find("#said");
  text.textContent = say(`sim.error.${code}`);
  text.classList.add("bad");
  if (state.cards) felt.show(state.cards);
}

line.on("there", (there) => {
  find("#lost").hidden = there;
  if (there && state.viewer) line.send({ do: "sit", seat: state.viewer, all: state.all });
});

// Keys of the own seat, wherever the focus is but in a control of its own.

function buttonOf(event) {
  const button = KEYS[event.code];
  if (!button || event.ctrlKey || event.metaKey || event.altKey || hands.carried) return null;
  if (event.target.closest?.("input, select, textarea, dialog, #menu")) return null;
  const letter = event.code.startsWith("Key");
  return letter || !event.target.closest?.("button, [tabindex], summary") ? button : null;
}

document.addEventListener("keydown", (event) => {
  const button = buttonOf(event);
  if (!button) return;
  event.preventDefault();
  if (!event.repeat) own()?.press(button);
});
document.addEventListener("keyup", (event) => { if (KEYS[event.code]) own()?.release(KEYS[event.code]); });
addEventListener("blur", () => { for (const seat of seats.values()) for (const button of [...seat.down]) seat.release(button); });

find("#deal").addEventListener("click", () => line.send({ do: "deal" }));
find("#sort").addEventListener("click", () => line.send({ do: "sort", seat: state.viewer }));
NARROW.addEventListener("change", () => { if (state.scene) lay(); });
document.addEventListener("spoken", () => { if (state.scene) { lay(); redraw(); } });
document.addEventListener("pointerdown", () => buzzer.wake(), { once: true });
await begin();
