// Questions to the server.

import { signed } from "./session.js";

/** What the server answers in JSON; throws an error whose message is for people. */
export async function ask(path, parameters = {}, { method = "GET", body } = {}) {
  const query = new URLSearchParams(parameters).toString();
  const reply = await fetch(signed(query ? `${path}?${query}` : path), {
    method, ...body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } },
  }).catch(() => { throw new Error("no connection to the server"); });
  const answer = await reply.json().catch(() => null);
  if (!reply.ok || answer === null) throw new Error(answer?.error ?? `the server answered ${reply.status}`);
  return answer;
}
