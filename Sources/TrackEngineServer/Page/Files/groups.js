// Groups of devices, and what of them is shown. Both stay in this browser.

import { keep, recall } from "./storage.js";

export class Groups {
  constructor() {
    this.groups = new Map(recall("groups", []));
    this.hidden = new Set(recall("hidden", []));
    /** The groups that the server gives, for devices without a group of the user. */
    this.given = new Map();
  }

  /** The group of a device; an empty name for none. */
  of(name) { return this.groups.get(name) ?? this.given.get(name) ?? ""; }

  /** Puts a device into a group. */
  put(name, group) {
    if (group !== (this.given.get(name) ?? "")) this.groups.set(name, group); else this.groups.delete(name);
    keep("groups", [...this.groups]);
  }

  hides(name) { return this.hidden.has(name); }

  /** Shows or hides devices. */
  show(names, isShown) {
    for (const name of names) if (isShown) this.hidden.delete(name); else this.hidden.add(name);
    keep("hidden", [...this.hidden]);
  }

  /** Devices by their groups, those without one last: `[[group, names], …]`. */
  sorted(names) {
    const found = new Map();
    for (const name of [...names].sort((one, other) => one.localeCompare(other))) {
      found.set(this.of(name), [...found.get(this.of(name)) ?? [], name]);
    }
    return [...found].sort(([one], [other]) => (one === "") - (other === "") || one.localeCompare(other));
  }
}
