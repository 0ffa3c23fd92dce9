// Fixes that were not recorded, beside the path of a stretch of time.

import { clock, count, dayAndClock } from "./format.js";
import { keep, recall } from "./storage.js";

/** How many there are of each reason. */
function summary(fixes) {
  const counts = new Map();
  for (const { reason } of fixes) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort((one, other) => other[1] - one[1]).map(([reason, many]) => `${count(many)} ${reason}`);
  return reasons.length > 0 ? `(${reasons.join(", ")})` : "(none)";
}

export class Rejected {
  /** - `ask`: asks the server, and says what goes wrong. */
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

  /** Shows those of devices from one time to another; nothing for none. */
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
