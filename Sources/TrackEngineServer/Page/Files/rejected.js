// Fixes that were not recorded, with the path of a span of time.

import { clock, count, dayAndClock } from "./format.js";
import { keep, recall } from "./storage.js";

/** The reasons of fixes that are plausible and that the recording rule does not need: most fixes of a receiver. */
const reasonsOfRule = new Set(["too-near", "unneeded", "standby", "not-in-motion"]);

/** The reasons of fixes that are left out on the user's request. */
const reasonsOfUser = new Set(["paused", "hidden", "off"]);

/** Why a fix was not recorded, in a few words. */
export function words(reason) {
  if (reasonsOfRule.has(reason)) return "not needed";
  return reasonsOfUser.has(reason) ? reason : `rejected, ${reason}`;
}

/** Pairs of a reason and a count, by kind: fixes that were not needed, that were left out on request, and that were rejected. */
export function sorted(counts) {
  const kinds = { notNeeded: [], leftOut: [], rejected: [] };
  for (const pair of counts) {
    kinds[reasonsOfRule.has(pair[0]) ? "notNeeded" : reasonsOfUser.has(pair[0]) ? "leftOut" : "rejected"].push(pair);
  }
  return kinds;
}

export const total = (counts) => counts.reduce((sum, [, many]) => sum + many, 0);

/** The number of fixes of each kind. */
function summary(fixes) {
  const counts = new Map();
  for (const { reason } of fixes) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const { notNeeded, leftOut, rejected } = sorted(counts);
  const parts = [...leftOut, ...rejected].sort((one, other) => other[1] - one[1]).map(([reason, many]) => `${count(many)} ${reason}`);
  if (notNeeded.length > 0) parts.unshift(`${count(total(notNeeded))} not needed`);
  return parts.length > 0 ? `(${parts.join(", ")})` : "(none)";
}

export class Rejected {
  /** - `ask`: asks the server, and shows errors. */
  constructor(map, ask) {
    this.map = map;
    this.ask = ask;
    this.box = document.getElementById("with-rejected");
    this.box.checked = recall("rejected", true);
    this.box.addEventListener("change", () => {
      keep("rejected", this.box.checked);
      this.load();
    });
    this.count = document.getElementById("rejected-count");
  }

  /** Shows the fixes of devices from one time to another; nothing for none. */
  show(wanted) {
    this.wanted = wanted;
    return this.load();
  }

  async load() {
    const { wanted } = this;
    const isShown = wanted && this.box.checked;
    const asked = isShown ? JSON.stringify(wanted) : "";
    if (asked === this.asked) return;
    this.asked = asked;
    const lists = isShown ? await Promise.all(wanted.devices.map((device) =>
      this.ask("/api/rejections", { device, from: wanted.from, to: wanted.to }))) : [];
    if (asked !== this.asked) return;  // something else was chosen meanwhile
    const fixes = lists.flatMap((list) => list ?? []);
    const text = isShown && wanted.to - wanted.from > 90_000 ? dayAndClock : clock;
    this.map.showRejected(fixes, text);
    this.count.textContent = isShown ? summary(fixes) : "";
    // What failed may be asked for again.
    if (lists.includes(null)) this.asked = null;
  }
}
