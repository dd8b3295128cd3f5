// What has happened in a deal, the newest first.

import { element, say } from "/static/base.js";
import { nameOf, named } from "/static/board_view.js";

export function drawHistory(list, seats, entries, language) {
  const items = entries.toReversed().map((one) => entry(one, seats, language));
  list.replaceChildren(...items);
}

function entry(one, seats, language) {
  const item = element("li", { className: one.kind });
  if (one.kind === "deal") {
    item.append(element("b", { textContent: say("board.dealt", { name: nameOf(seats, one.seat) }) }));
  } else {
    if (one.kind === "action") item.append(element("span", { className: "by", textContent: nameOf(seats, one.seat) }));
    const what = element("span", { className: "what" });
    what.append(...coloured(one.kind === "action" ? one[language] : named(seats, one[language])));
    item.append(what);
  }
  for (const notice of one.notices) {
    item.append(element("span", { className: "notice", textContent: named(seats, notice[language]) }));
  }
  return item;
}

// Red suits are red.
function coloured(text) {
  return text.split(/([^\s]*[♥♦])/).filter(Boolean).map((part) =>
    /[♥♦]/.test(part) ? element("span", { className: "red", textContent: part }) : part);
}
