// Cards: how they look, and what they are called.

import { say, language } from "/static/base.js";

const SVG = "http://www.w3.org/2000/svg";
const SUITS = {
  C: "M12 2a4.7 4.7 0 0 0-3.7 7.6A4.7 4.7 0 1 0 11.2 16.9C11 19 10 21 8.4 22h7.2C14 21 13 19 12.8 16.9A4.7 4.7 0 1 0 15.7 9.6 4.7 4.7 0 0 0 12 2Z",
  D: "M12 1.5 20 12 12 22.5 4 12Z",
  H: "M12 21.5C5 15.5 2 12 2 8 2 5 4.2 3 6.9 3 9.1 3 11 4.3 12 6.3 13 4.3 14.9 3 17.1 3 19.8 3 22 5 22 8 22 12 19 15.5 12 21.5Z",
  S: "M12 1.8C12 1.8 2.8 9.6 2.8 14.4 2.8 17.1 4.9 18.9 7.3 18.9 9 18.9 10.4 18 11.2 16.8 11 19.2 10 21 8.4 22.2H15.6C14 21 13 19.2 12.8 16.8 13.6 18 15 18.9 16.7 18.9 19.1 18.9 21.2 17.1 21.2 14.4 21.2 9.6 12 1.8 12 1.8Z",
};
const STAR = "M12 1.5 15 9H22.6L16.5 13.8 18.8 21.5 12 16.9 5.2 21.5 7.5 13.8 1.4 9H9Z";

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function sign(path, x, y, size, kind) {
  return drawn("path", { d: path, class: kind, transform: `translate(${x} ${y}) scale(${size / 24})` });
}

function rankLetter(rank) {
  return say(`rank.letter.${rank}`);
}

function split(face) {
  return face.startsWith("JK") ? ["JK", ""] : [face.slice(0, -1), face.slice(-1)];
}

// The picture of a card; without a face its back.
export function picture(face, pack = 1) {
  const svg = drawn("svg", { viewBox: "0 0 63 88", class: "face", "aria-hidden": "true", focusable: "false" });
  if (!face) {
    svg.append(drawn("rect", { x: 0.5, y: 0.5, width: 62, height: 87, rx: 5, class: pack === 2 ? "back second" : "back" }));
    let lines = "";
    for (let at = -84; at < 63; at += 7) lines += `M${at} 4l80 80M${at + 84} 4l-80 80`;
    const inner = drawn("svg", { x: 4, y: 4, width: 55, height: 80, viewBox: "4 4 55 80" });
    inner.append(drawn("path", { d: lines, class: "weave" }));
    svg.append(inner, drawn("rect", { x: 2, y: 2, width: 59, height: 84, rx: 4, class: "rim" }));
    return svg;
  }
  svg.append(drawn("rect", { x: 0.5, y: 0.5, width: 62, height: 87, rx: 5, class: "paper" }));
  const [rank, suit] = split(face);
  const kind = suit === "" ? "joker" : "DH".includes(suit) ? "red" : "black";
  const path = SUITS[suit] ?? STAR;
  const text = drawn("text", { x: 3.5, y: 21, "font-size": rank.length > 1 && suit ? 20 : 22, class: kind });
  text.textContent = suit ? rankLetter(rank) : "★";
  if (suit) svg.append(text, sign(path, 4, 24.5, 15, kind));
  else svg.append(sign(path, 4, 5, 16, kind));
  svg.append(sign(path, 20, 42, 39, kind));
  return svg;
}

// What a card is called: "9 of clubs".
export function nameOf(face) {
  if (!face) return say("card.back");
  const [rank, suit] = split(face);
  return suit === "" ? say("card.joker") : say("card.name", { rank: say(`rank.${rank}`), suit: say(`suit.${suit}`) });
}

export const spoken = language;
