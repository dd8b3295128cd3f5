// Decks, settings and files of the table.

import { element, language, say } from "/static/base.js";
import { ask, find, send } from "/static/director_asks.js";

let shown = "";

// Decks

export function showDecks(state) {
  find("#decks").replaceChildren(...state.decks.map((deck) => element("li", {},
    element("span", {}, `${deck.name}: ${say("director.cards", { count: deck.cards })}`,
      deck.missing ? ` · ${say("director.missing", { count: deck.missing })}` : ""),
    deck.in_use
      ? element("b", {}, say("director.in-use"))
      : element("button", { type: "button", onclick: (event) => set({ kind: "use-deck", deck: deck.name }, event.target) }, say("director.use")))));
}

// Settings

export function showSettings(state) {
  const text = JSON.stringify([state.settings, language()]);
  if (text === shown) return;
  const focused = document.activeElement?.dataset?.key;
  const places = [...new Set(state.settings.map((row) => row.place))];
  find("#settings").replaceChildren(...places.map((place) => element("fieldset", {},
    element("legend", {}, place ? say("director.place", { number: place }) : say("director.whole-table")),
    ...state.settings.filter((row) => row.place === place).map(field))));
  if (focused) find(`#settings [data-key="${focused}"]`)?.focus();
  shown = text;
}

function field(row) {
  const words = row.cue ? `${say(`director.set.${row.subject}`)}: ${say(`director.cue.${row.cue}`)}` : say(`director.set.${row.subject}`);
  const put = (value, control) => set({ kind: "setting", key: row.key, value }, control);
  let control;
  if (row.values.join() === "on,off") {
    control = element("input", { type: "checkbox", checked: row.value === "on", onchange: () => put(control.checked ? "on" : "off", control) });
  } else if (row.values.length) {
    control = element("select", { onchange: () => put(control.value, control) }, ...row.values.map((value) => element("option", { value, selected: value === row.value }, value)));
  } else {
    control = element("input", { type: "number", min: row.least, max: row.most, value: row.value, onchange: () => put(control.value, control) });
  }
  control.dataset.key = row.key;
  return element("label", {}, control, words);
}

// What holds at once needs no second look: it is looked at and done in one go.
async function set(told, control) {
  const { status, told: look } = await send("POST", `/rulings?lang=${language()}`, { step: "look", ...told });
  let words = look.error ?? look.words;
  if (status === 200 && look.done) {
    const done = await send("POST", `/rulings?lang=${language()}`, { step: "do", state: look.state, ...told });
    words = done.status === 200 ? "" : done.told.error;
  }
  shown = "";
  control.setCustomValidity?.(words);
  if (words) control.reportValidity?.();
}

// Files

export async function showFiles() {
  const { status, told } = await ask("/files");
  if (status !== 200) return;
  const upload = element("input", { type: "file", accept: ".zip", "aria-label": say("director.restore") });
  const said = element("p", { role: "status" });
  upload.addEventListener("change", () => restore(upload, said));
  find("#files").replaceChildren(
    element("ul", {}, ...told.files.map((file) => element("li", {},
      element("a", { href: `/api/v1/director/files/${encodeURIComponent(file.name)}`, download: file.name }, file.name),
      file.size ? ` · ${Math.ceil(file.size / 1024)} KB` : "", ["backup", "log"].includes(file.kind) ? ` · ${say(`director.${file.kind}`)}` : ""))),
    element("label", {}, say("director.restore"), " ", upload),
    said);
}

async function restore(upload, said) {
  const [file] = upload.files;
  if (!file) return;
  const answer = await fetch("/api/v1/director/restore", { method: "POST", headers: { "X-Tableref": "1", "Content-Type": "application/zip" }, body: file });
  const told = await answer.json().catch(() => ({}));
  said.textContent = answer.ok ? say("director.restored") : say("director.not-restored", { why: told.error ?? "" });
}
