// What the console asks of the table.

const API = "/api/v1/director";

export function find(selector) {
  return document.querySelector(selector);
}

export async function ask(path) {
  const answer = await fetch(API + path);
  return { status: answer.status, told: await read(answer) };
}

export async function send(method, path, wanted) {
  const answer = await fetch(API + path, {
    method,
    headers: { "Content-Type": "application/json", "X-Tableref": "1" },
    body: JSON.stringify(wanted),
  });
  return { status: answer.status, told: await read(answer) };
}

async function read(answer) {
  try {
    return await answer.json();
  } catch {
    return { error: answer.statusText };
  }
}
