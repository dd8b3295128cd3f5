// The board: what everybody may see of a table, for spectators and a big screen.

import { Line, begin, element, label, language, say } from "/static/base.js";
import { contract, drawFelt, nameOf, named, sideName } from "/static/board_view.js";
import { drawHistory } from "/static/board_history.js";
import { Replay } from "/static/board_replay.js";
import { Story } from "/static/board_story.js";

const $ = (id) => document.getElementById(id);
let table = null;
const story = new Story(show);
const replay = new Replay(show);

function showing() {
  return replay.on ? replay.table() : table;
}

function show() {
  const now = showing();
  document.title = table?.title || say("board.title");
  $("language").textContent = language() === "en" ? "Русский" : "English";
  $("title").textContent = table?.title || (table?.game ? table.game[language()] : say("board.title"));
  $("about").textContent = about();
  $("watch").setAttribute("aria-pressed", String(!replay.on));
  $("past").setAttribute("aria-pressed", String(replay.on));
  if (!now || now.standing === "lobby") {
    $("scores").replaceChildren();
    $("state").replaceChildren(element("p", { className: "big", textContent: now ? say("board.lobby") : "" }));
    $("felt").replaceChildren();
  } else {
    drawScores(now);
    drawState(now);
    drawFelt($("felt"), now, language());
  }
  const told = replay.on ? replay.told() : story.entries;
  $("earlier").hidden = replay.on || !story.older;
  $("earlier").textContent = say("board.earlier", { count: story.older });
  drawHistory($("history"), now?.seats ?? [], told, language());
  drawIrregularities(replay.on ? [] : table?.irregularities ?? [], now?.seats ?? []);
}

function about() {
  const now = showing();
  if (!now?.game) return "";
  const parts = [];
  if (table?.title) parts.push(now.game[language()]);
  if (now.rules) parts.push(now.rules[language()]);
  if (now.deal) parts.push(say("board.deal", { number: now.deal }));
  parts.push(say("board.target", { target: now.target }));
  return parts.join(" · ");
}

function drawScores(now) {
  const best = Math.max(...now.sides.map((side) => side.score));
  $("scores").replaceChildren(...now.sides.map((side) => {
    const acts = side.seats.some((seat) => now.turn?.includes(seat));
    const made = element("div", { className: "side" },
      element("span", { className: "who", textContent: sideName(now.seats, side) }),
      element("span", { className: "score", textContent: String(side.score).replace("-", "−") }),
      element("span", { className: "bar", "aria-hidden": "true" }, element("i")));
    made.classList.toggle("acts", acts);
    made.classList.toggle("best", side.score === best && best !== 0);
    made.classList.toggle("won", side.won);
    made.querySelector("i").style.width = `${Math.max(0, Math.min(100, (100 * side.score) / now.target))}%`;
    return made;
  }));
}

function drawState(now) {
  const auction = now.blocks?.find((one) => one.block === "auction");
  const parts = [];
  if (now.locked) parts.push(line("big", say("board.locked")));
  else if (now.standing === "over") parts.push(line("big", over(now)));
  else if (now.standing === "running") {
    const trumped = auction?.bid && contract(auction, language());
    const code = auction?.trump ? "board.contract" : "board.bid";
    if (trumped) parts.push(line("big", say(code, { name: nameOf(now.seats, auction.bidder), contract: trumped })));
    const who = (now.turn ?? []).map((seat) => nameOf(now.seats, seat)).join(", ");
    if (who) parts.push(line(trumped ? "" : "big", say("board.turn", { name: who, phase: now.phase?.[language()] ?? "" })));
  } else parts.push(...between(now));
  $("state").replaceChildren(...parts);
}

function between(now) {
  const parts = [];
  const scored = now.blocks?.find((one) => one.block === "notices")?.notices.find((one) => one.code === "deal-scored");
  const counts = now.dealing?.counts ?? [];
  const dealt = counts.reduce((sum, one) => sum + one, 0);
  if (scored && !dealt) {
    const points = now.sides.map((side) => `${sideName(now.seats, side)} ${signed(scored.points[side.side])}`);
    parts.push(line("big", points.join(" · ")));
  }
  if (now.dealing) {
    const name = nameOf(now.seats, now.dealing.dealer);
    const all = now.dealing.size * counts.length;
    const text = dealt ? say("board.dealing", { name, count: dealt, all }) : say("board.deals-next", { name });
    parts.push(line(parts.length ? "" : "big", text));
  }
  return parts;
}

function over(now) {
  const winners = now.sides.filter((side) => side.won);
  if (now.voided || !winners.length) return say("board.void");
  return say("board.won", { name: winners.map((side) => sideName(now.seats, side)).join(", ") });
}

function signed(number) {
  return number < 0 ? `−${-number}` : `+${number}`;
}

function line(kind, text) {
  return element("p", { className: kind, textContent: text });
}

function drawIrregularities(all, seats) {
  $("irregular").hidden = !all.length;
  $("irregularities").replaceChildren(...all.toReversed().map((one) => {
    const item = element("li", {}, element("span", { textContent: named(seats, one[language()]) }));
    if (one.signed) item.append(element("span", { className: "signed", textContent: say("board.signed") }));
    item.classList.toggle("open", !one.signed);
    return item;
  }));
}

// The line to the table

const live = new Line("/live");
live.on("table", (value) => {
  const ended = table?.standing === "running" && value.standing !== "running";
  table = value;
  if (ended) replay.refresh();
  if (!replay.on) show();
});
live.on("history", (value) => {
  story.take(value);
  if (!replay.on) show();
});
live.on("there", (there) => { $("lost").hidden = there; if (!there) story.cut(); });

$("watch").addEventListener("click", () => { replay.leave(); show(); });
$("past").addEventListener("click", () => replay.enter());
$("earlier").addEventListener("click", () => {
  $("log").focus(); // the button goes
  story.ask();
});
$("full").addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
});
document.addEventListener("spoken", () => { label(); show(); });
begin();
