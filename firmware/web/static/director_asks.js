// What the console asks of the table.

import { say } from "/static/base.js";

const API = "/api/v1/director";

export function find(selector) {
  return document.querySelector(selector);
}

export async function ask(path) {
  return answered(fetch(API + path));
}

export async function send(method, path, wanted) {
  const headers = { "Content-Type": "application/json", "X-Tableref": "1" };
  return answered(fetch(API + path, { method, headers, body: JSON.stringify(wanted) }));
}

// A table that does not answer has status 0.
async function answered(asked) {
  try {
    const answer = await asked;
    return { status: answer.status, told: await read(answer) };
  } catch {
    return { status: 0, told: { error: say("connection.lost") } };
  }
}

async function read(answer) {
  try {
    return await answer.json();
  } catch {
    return { error: answer.statusText };
  }
}
