// The part of the session that the page keeps beside the cookie: programs on other ports of the host get the cookie, and not this.

import { keep, recall } from "./storage.js";

const query = new URLSearchParams(location.search);
const given = query.get("proof");
if (given) {
  keep("proof", given);
  window.history.replaceState(null, "", location.pathname + location.hash);
}
const proof = given ?? recall("proof", "");

/** The path of a question to the server with that part in it. */
export const signed = (path) => proof ? `${path}${path.includes("?") ? "&" : "?"}proof=${encodeURIComponent(proof)}` : path;
