// What all pages share: words, language and theme, and the line to the table.

const API = "/api/v1";
const LANGUAGES = ["en", "ru"];

let texts = {};

// Words

export function language() {
  const asked = new URLSearchParams(location.search).get("lang") || localStorage.getItem("language");
  if (LANGUAGES.includes(asked)) return asked;
  return navigator.language.startsWith("ru") ? "ru" : "en";
}

export function say(code, facts = {}) {
  const text = texts[code] ?? code;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in facts ? String(facts[name]) : whole));
}

// Elements with data-text get that text; data-label is the name that a screen reader says.
export function label(root = document) {
  for (const one of root.querySelectorAll("[data-text]")) one.textContent = say(one.dataset.text);
  for (const one of root.querySelectorAll("[data-label]")) one.setAttribute("aria-label", say(one.dataset.label));
}

export async function speak(wanted = language()) {
  localStorage.setItem("language", wanted);
  texts = await (await fetch(`${API}/texts/${wanted}`)).json();
  document.documentElement.lang = wanted;
  label();
  document.dispatchEvent(new Event("spoken"));
}

// Light and dark

export function dress(theme = localStorage.getItem("theme")) {
  if (theme) {
    localStorage.setItem("theme", theme);
    document.documentElement.dataset.theme = theme;
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// The buttons for both, wherever a page has them.
export function begin() {
  dress();
  document.querySelector("#language")?.addEventListener("click", () => speak(language() === "en" ? "ru" : "en"));
  document.querySelector("#theme")?.addEventListener("click", () => dress(isDark() ? "light" : "dark"));
  return speak();
}

// Elements, whose texts are never markup

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "dataset") Object.assign(made.dataset, value);
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && !key.includes("-")) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// The line to the table: topics come as they change; `send` says something, if the page may.
export class Line extends EventTarget {
  constructor(path) {
    super();
    this.path = path;
    this.wait = 500;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}${API}${this.path}`);
    let came = false;
    this.socket.onopen = () => {
      came = true;
      this.tell("there", true);
    };
    this.socket.onmessage = (event) => {
      this.wait = 500;
      for (const [topic, value] of Object.entries(JSON.parse(event.data))) this.tell(topic, value);
    };
    this.socket.onclose = () => {
      this.tell("there", false);
      this.why(came);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(5000, this.wait * 2);
    };
  }

  // What the page says of it: a table that is not there, or one with too many pages open (a socket cannot tell).
  async why(came) {
    const lost = document.querySelector("#lost");
    if (!lost) return;
    let full = false;
    try {
      full = !came && (await fetch(API + this.path)).status === 503;
    } catch { /* not there */ }
    lost.dataset.text = full ? "connection.full" : "connection.lost";
    lost.textContent = say(lost.dataset.text);
  }

  tell(topic, value) {
    this.dispatchEvent(new CustomEvent(topic, { detail: value }));
    this.dispatchEvent(new CustomEvent("any", { detail: { topic, value } }));
  }

  on(topic, act) {
    this.addEventListener(topic, (event) => act(event.detail));
  }

  send(wanted) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(wanted));
  }
}
