// The director's console: the door, and what comes over the line.

import { Line, begin, element, language, say } from "/static/base.js";
import { Rulings } from "/static/director_rulings.js";
import { ask, find, send } from "/static/director_asks.js";
import { showDecks, showFiles, showSettings } from "/static/director_tables.js";

const rulings = new Rulings();
let line = null;
let state = null;
let health = null;
let journal = { match: 0, lines: [] };
let earlier = [];

// The door

async function enter(event) {
  event.preventDefault();
  const token = find("#token").value.trim();
  if (!token) return;
  const { status, told } = await send("POST", "/session", { token });
  find("#denied").textContent =
    status === 200 ? "" : status === 429 ? say("director.wait", { seconds: told.wait }) : say("director.denied");
  if (status === 200) {
    find("#token").value = "";
    open();
  } else {
    find("#token").select();
  }
}

function open() {
  find("#door").hidden = true;
  find("#console").hidden = false;
  find("#leave").hidden = false;
  follow();
  showFiles();
  find("#search").focus();
}

function shut() {
  if (line) line.end();
  line = null;
  find("#console").hidden = true;
  find("#leave").hidden = true;
  find("#lost").hidden = true;
  find("#door").hidden = false;
  find("#token").focus();
}

function follow() {
  if (line) line.end();
  const spoken = language();
  line = new DirectorLine(`/director/live?lang=${spoken}`);
  line.on(`console-${spoken}`, (told) => { state = told; show(); });
  line.on(`journal-${spoken}`, (told) => {
    if (told.match !== journal.match) earlier = [];
    journal = told;
    showLines();
  });
  line.on(`health-${spoken}`, (told) => { health = told; showHealth(); });
  line.on("there", async (there) => {
    find("#lost").hidden = there;
    if (there) return;
    const { status, told } = await ask("/session");
    if (status === 200 && !told.director) shut();
  });
}

// A line that can be given up for good.
class DirectorLine extends Line {
  connect() {
    if (!this.ended) super.connect();
  }

  end() {
    this.ended = true;
    this.socket.onclose = null;
    this.socket.close();
  }
}

// The table

function show() {
  find("#where").textContent = `${state.title}, ${state.rules_title} · ${say("director.match", { match: state.match, deal: state.deals + 1 })}`;
  const sides = state.sides.map((seats, at) =>
    element("div", { className: "side" },
      ...seats.map((seat) => element("span", { className: state.acting.includes(seat) ? "acts" : "" },
        named(seat),
        element("small", {}, notes(seat)))),
      element("b", { ariaLabel: say("director.score", { score: state.scores[at] }) }, String(state.scores[at]))));
  find("#seats").replaceChildren(...sides);
  find("#open").hidden = !state.unsigned.length && !state.wish;
  find("#unsigned").replaceChildren(
    ...(state.wish ? [wish()] : []),
    ...state.unsigned.map((one) => element("li", {},
      element("span", {}, one.words),
      ...signing(one).map(([choice, words]) => element("button", {
        type: "button",
        onclick: () => rulings.begin("sign", { code: one.code, text: one.text, choice }, `${one.words}: ${words}`),
      }, words)))));
  rulings.show(state);
  showDecks(state);
  showSettings(state);
}

function named(seat) {
  return state.names[seat - 1] ? `${seat} · ${state.names[seat - 1]}` : say("seat", { number: seat });
}

function notes(seat) {
  const said = [];
  if (state.dealer === seat) said.push(say("director.deals"));
  if (state.acting.includes(seat)) said.push(say("director.acts"));
  return said.length ? ` ${said.join(", ")}` : "";
}

function signing(one) {
  const choices = [["accept", say("director.accept")], ...one.penalties];
  return state.choices["void-deal"] ? [...choices, ["void-deal", say("director.void-deal")]] : choices;
}

function wish() {
  const [seat, what] = state.wish;
  return element("li", {},
    element("span", {}, say("director.wish", { name: named(seat), what })),
    element("button", { type: "button", onclick: () => rulings.begin("agree-for-all") }, say("director.agree-for-all")));
}

// The journal

function showLines() {
  const list = find("#lines");
  const box = find("#log");
  const atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 8;
  const lines = [...earlier, ...journal.lines];
  list.replaceChildren(...lines.map((one) => {
    const words = element("span", { className: one.by }, one.words);
    if (one.reason) words.append(element("span", { className: "reason" }, one.reason));
    const at = new Date(one.at * 1000);
    return element("li", {},
      element("time", { dateTime: at.toISOString() }, at.toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })),
      words,
      element("span", { className: "by" }, String(one.line)));
  }));
  if (!lines.length) list.append(element("li", {}, "", say("director.nothing")));
  if (atEnd) box.scrollTop = box.scrollHeight;
  find("#earlier").hidden = !lines.length || lines[0].line <= 1;
}

async function showEarlier() {
  const first = [...earlier, ...journal.lines][0].line;
  const { status, told } = await ask(`/journal?lang=${language()}&before=${first}`);
  if (status !== 200) return;
  earlier = [...told.lines, ...earlier];
  showLines();
  find("#log").scrollTop = 0;
}

// Devices

function showHealth() {
  find("#devices").replaceChildren(...health.devices.map((one) =>
    element("li", { className: one.lost ? "lost" : "" }, one.lost ? say("director.is-lost", { device: one.name }) : one.name)));
  find("#machine").replaceChildren(...health.machine.map(([level, words]) =>
    element("li", { className: level === "fail" ? "lost" : "" }, words)));
  find("#counts").replaceChildren(...health.lines.map((text) => element("li", {}, text)));
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "/" && !typing && !find("#console").hidden) {
    event.preventDefault();
    find("#search").focus();
  }
});
document.addEventListener("spoken", () => {
  document.title = say("director.title");
  find("#search").placeholder = say("director.search");
  if (!line) return;
  earlier = [];
  follow();
  showFiles();
});
find("#login").addEventListener("submit", enter);
find("#earlier").addEventListener("click", showEarlier);
find("#leave").addEventListener("click", async () => {
  await send("DELETE", "/session", {});
  shut();
});

await begin();
if ((await ask("/session")).told.director) open();
else shut();
