// The table from above: who sits where, what lies in the middle. One function for what is played now and for replays.

import { element, say } from "/static/base.js";
import { card, hand, spoken } from "/static/board_cards.js";

let shown = new Set();

export function nameOf(seats, number) {
  return seats.find((one) => one.seat === number)?.name || say("seat", { number });
}

export function sideName(seats, side) {
  return side.seats.map((seat) => nameOf(seats, seat)).join(" + ");
}

// What the table says of seats by their numbers is said by their names.
export function named(seats, text) {
  return text.replace(/(Seat|seat|Место|место) (\d+)(?!\d)/g, (whole, word, number) =>
    seats.find((one) => one.seat === Number(number))?.name || whole);
}

export function drawFelt(felt, table, language) {
  const blocks = dealt(table) ? dealing(table) : byKind(table.blocks ?? []);
  const key = (table.blocks ?? []).filter((one) => ["trick", "line", "piles"].includes(one.block));
  const lying = new Set(cardsIn(key));
  const fresh = (text) => !shown.has(text);
  const round = Boolean(blocks.trick) || !blocks.piles;
  felt.className = `felt ${round ? "round" : "rows"} seats-${table.seats.length}`;
  if (round) drawRound(felt, table, blocks, fresh, language);
  else drawRows(felt, table, blocks, fresh, language);
  shown = lying;
}

// While cards are dealt, what was played before is gone.
function dealt(table) {
  return table.standing !== "running" && (table.dealing?.counts ?? []).some((count) => count > 0);
}

function dealing({ dealing: { counts } }) {
  const hands = counts.map((count, index) => [index + 1, { cards: [], unknown: count }]);
  return { hands: Object.fromEntries(hands), melds: {} };
}

function byKind(blocks) {
  const found = { hands: {}, melds: {} };
  for (const one of blocks) {
    if (one.block === "hand") found.hands[one.seat] = one;
    else if (one.block === "melds") found.melds[one.seat] = one.melds;
    else found[one.block] = one;
  }
  return found;
}

function cardsIn(blocks) {
  return blocks.flatMap((one) => [
    ...(one.plays ?? []).map((play) => play.card), ...(one.cards ?? []), ...(one.top ? [one.top] : []),
  ]);
}

// Around a table: tricks

// Seat 1 sits at the bottom, the others clockwise.
function direction(index, count) {
  const angle = Math.PI / 2 + (2 * Math.PI * index) / count;
  return [Math.cos(angle), Math.sin(angle)];
}

function drawRound(felt, table, blocks, fresh, language) {
  const { trick } = blocks;
  const count = table.seats.length;
  const around = element("div", { className: "around" });
  table.seats.forEach((seat, index) => {
    const panel = seatPanel(table, seat, blocks, language);
    const [across, down] = direction(index, count).map((part) => 50 + 50 * part);
    panel.style.left = `${across}%`;
    panel.style.top = `${down}%`;
    panel.style.transform = `translate(${-across}%, ${-down}%)`;
    around.append(panel);
  });
  const playing = trick && trick.plays.length > 0;
  const plays = trick ? (playing ? trick.plays : trick.last) : [];
  const middle = element("div", { className: `middle${playing || !trick ? "" : " gone"}` });
  for (const { seat, card: text } of plays) {
    const index = table.seats.findIndex((one) => one.seat === seat);
    const laid = element("span", { className: "laid" }, card(text, { fresh: playing && fresh(text) }));
    if (!playing && seat === trick.winner) laid.classList.add("won");
    laid.setAttribute("role", "group");
    laid.setAttribute("aria-label", say("board.played", { name: nameOf(table.seats, seat), card: spoken(text) }));
    const [across, down] = direction(index, count);
    laid.style.left = `calc(50% + var(--card) * ${(across * 1.15).toFixed(2)})`;
    laid.style.top = `calc(50% + var(--card) * ${(down * 0.8).toFixed(2)})`;
    middle.append(laid);
  }
  felt.replaceChildren(middle, around);
}

// Rows: what was melded

function drawRows(felt, table, blocks, fresh, language) {
  const { piles, line } = blocks;
  const middle = element("div", { className: "piles" });
  if (piles.stock !== null) {
    middle.append(pile(say("board.stock"), piles.stock, element("span", { className: "card back", "aria-hidden": "true" })));
  }
  if (line) {
    const cards = line.cards.map((text) => card(text, { fresh: fresh(text) }));
    const row = element("div", { className: "line" }, ...cards);
    row.classList.toggle("long", cards.length > 9);
    middle.append(pile(say("board.line"), line.cards.length, row));
  } else {
    const top = piles.top ? card(piles.top, { fresh: fresh(piles.top) }) : element("span", { className: "card none" });
    middle.append(pile(say("board.discards"), piles.discards, top));
  }
  const rows = table.seats.map((seat) => {
    const panel = seatPanel(table, seat, blocks, language);
    const melds = blocks.melds[seat.seat] ?? [];
    if (melds.length) panel.append(element("div", { className: "melds" }, ...melds.map(meld)));
    return panel;
  });
  felt.replaceChildren(middle, element("div", { className: "people" }, ...rows));
}

function pile(name, count, ...cards) {
  return element("figure", { className: "pile" }, ...cards,
    element("figcaption", { textContent: say("board.pile", { name, count }) }));
}

function meld(pieces) {
  return element("span", { className: "meld" },
    ...pieces.map((piece) => card(piece.card, { small: true, as: piece.as ?? null })));
}

// A seat

function seatPanel(table, seat, blocks, language) {
  const held = blocks.hands[seat.seat];
  const count = held ? held.cards.length + held.unknown : null;
  const panel = element("article", { className: "seat" });
  panel.classList.toggle("turn", seat.turn);
  const badges = [];
  if (seat.dealer) badges.push(badge("dealer", say("board.dealer")));
  if (blocks.auction?.bidder === seat.seat && blocks.auction.bid) badges.push(badge("bidder", contract(blocks.auction, language)));
  else if (bidding(blocks) && lastCall(blocks.auction, seat.seat)) {
    badges.push(badge("call", lastCall(blocks.auction, seat.seat)[language]));
  }
  panel.append(element("h2", { textContent: seat.name || say("seat", { number: seat.seat }) }));
  const facts = [];
  if (seat.turn) facts.push(element("span", { className: "acts", textContent: say("board.acts") }));
  if (blocks.trick?.number && table.standing === "running") {
    facts.push(element("span", { textContent: say("board.tricks", { count: blocks.trick.won[seat.seat - 1] }) }));
  }
  if (count !== null && !blocks.trick) facts.push(element("span", { textContent: say("board.cards", { count }) }));
  if (badges.length) panel.append(element("p", { className: "badges" }, ...badges));
  if (facts.length) panel.append(element("p", { className: "facts" }, ...facts));
  if (held && count) {
    const fan = hand(held.cards, held.unknown);
    fan.setAttribute("role", "img");
    fan.setAttribute("aria-label", say("board.cards", { count }));
    panel.append(fan);
  }
  return panel;
}

function badge(kind, text) {
  return element("span", { className: `badge ${kind}`, textContent: text });
}

function bidding(blocks) {
  return blocks.auction && !blocks.auction.trump && blocks.turn?.phase.code !== "over";
}

function lastCall(auction, seat) {
  return auction.calls.filter((one) => one.seat === seat).at(-1)?.call;
}

export function contract(auction, language) {
  const trump = auction.trump ? ` ${auction.trump[language]}` : "";
  return auction.bid ? `${auction.bid[language]}${trump}` : "";
}
