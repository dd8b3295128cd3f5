// Cards as a board shows them: text in, elements out. "9D" is a card, "JK" a joker, "9D'2" one of the second pack.

import { element, say } from "/static/base.js";

const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

export function parse(text) {
  const face = text.split("'")[0];
  if (face === "JK") return { rank: "JK", suit: "" };
  return { rank: face.slice(0, -1), suit: face.slice(-1) };
}

function letter(rank) {
  return /^[AJQK]$/.test(rank) || rank === "JK" ? say(`board.rank.${rank}`) : rank;
}

export function spoken(text) {
  const { rank, suit } = parse(text);
  const ranks = /^[AJQK]/.test(rank) ? say(`board.name.${rank}`) : rank;
  return suit ? say("board.card", { rank: ranks, suit: say(`board.suit.${suit}`) }) : ranks;
}

export function brief(text) {
  const { rank, suit } = parse(text);
  return `${letter(rank)}${SIGNS[suit] ?? ""}`;
}

// A card face up; `as` is what it stands for in a meld.
export function card(text, { small = false, fresh = false, as = null } = {}) {
  const { rank, suit } = parse(text);
  const name = as ? say("board.stands", { card: spoken(text), as: spoken(as) }) : spoken(text);
  const made = element(
    "span",
    { className: `card suit-${suit || "joker"}`, role: "img", "aria-label": name },
    element("span", { className: "rank", textContent: suit ? letter(rank) : "★" }),
    element("span", { className: "suit", textContent: SIGNS[suit] ?? letter("JK") }),
    as ? element("span", { className: "as", textContent: brief(as) }) : null,
  );
  made.classList.toggle("small", small);
  made.classList.toggle("fresh", fresh);
  return made;
}

export function back({ small = false } = {}) {
  return element("span", { className: `card back${small ? " small" : ""}`, "aria-hidden": "true" });
}

// A hand that a spectator sees: cards that lie open face up, the others from behind.
export function hand(cards, unknown) {
  const backs = Array.from({ length: Math.min(unknown, 13) }, () => back({ small: true }));
  return element("span", { className: "fan" }, ...cards.map((text) => card(text, { small: true })), ...backs);
}
