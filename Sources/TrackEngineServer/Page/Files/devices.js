// The list of devices, by groups.

import { colourOf } from "./colours.js";
import { age, direction, distance, speed, utc } from "./format.js";
import { Groups } from "./groups.js";

export class DeviceList {
  constructor(map) {
    this.map = map;
    this.groups = new Groups();
    this.map.hide((name) => this.groups.hides(name));
    [this.list, this.fit, this.grouping] = ["devices", "fit", "grouping"].map((id) => document.getElementById(id));
    this.fit.addEventListener("click", () => this.map.fit());
    this.rows = new Map();
    this.headings = [];
  }

  /** Shows devices by their names, and how old their points are. */
  show(devices) {
    document.getElementById("no-devices").hidden = devices.size > 0;
    for (const { name, group } of devices.values()) if (group) this.groups.given.set(name, group);
    const sorted = this.groups.sorted(devices.keys());
    const order = JSON.stringify(sorted);
    // Rows stay while their order does, so that nothing is lost that has the focus.
    if (order !== this.order) this.arrange(sorted);
    this.order = order;
    for (const [name, row] of this.rows) this.fill(row, devices.get(name));
  }

  arrange(sorted) {
    const focused = document.activeElement;
    const names = new Set(sorted.flatMap(([, names]) => names));
    for (const name of [...this.rows.keys()]) if (!names.has(name)) this.rows.delete(name);
    this.headings = [];
    this.list.replaceChildren(...sorted.map(([group, names]) => {
      const part = document.createElement("div");
      // Without groups there is nothing to head.
      if (sorted.length > 1 || group !== "") part.append(this.heading(group, names));
      const list = part.appendChild(document.createElement("ul"));
      list.className = "list";
      list.append(...names.map((name) => this.row(name)));
      return part;
    }));
    this.fit.hidden = this.grouping.hidden = names.size < 2;
    this.arrangeGrouping([...names].sort((one, other) => one.localeCompare(other)), sorted);
    this.mark();
    if (this.list.contains(focused)) focused.focus();
  }

  /** A checkbox that shows and hides devices. */
  checkbox(names, label) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.setAttribute("aria-label", label);
    box.addEventListener("change", () => {
      this.groups.show(names, box.checked);
      this.mark();
      this.map.update();
    });
    return box;
  }

  heading(group, names) {
    const heading = document.createElement("h3");
    const label = heading.appendChild(document.createElement("label"));
    const title = group === "" ? "No group" : group;
    const box = this.checkbox(names, `Show the group ${title} on the map`);
    label.append(box, title);
    this.headings.push({ box, names });
    return heading;
  }

  row(name) {
    if (this.rows.has(name)) return this.rows.get(name);
    const row = document.createElement("li");
    row.dataset.name = name;
    row.append(this.checkbox([name], `Show ${name} on the map`));
    const button = row.appendChild(document.createElement("button"));
    for (const part of ["dot", "name", "age", "detail"]) {
      button.appendChild(document.createElement("span")).className = part;
    }
    button.addEventListener("click", () => {
      if (this.groups.hides(name)) row.firstChild.click();
      this.map.fit(name);
    });
    this.rows.set(name, row);
    return row;
  }

  /** Sets the checkboxes to what is shown. */
  mark() {
    for (const [name, row] of this.rows) row.firstChild.checked = !this.groups.hides(name);
    for (const { box, names } of this.headings) {
      const shown = names.filter((name) => !this.groups.hides(name)).length;
      box.checked = shown === names.length;
      box.indeterminate = shown > 0 && shown < names.length;
    }
    this.fit.disabled = [...this.rows.keys()].every((name) => this.groups.hides(name));
  }

  fill(row, device) {
    const [dot, name, time, detail] = row.lastChild.children;
    dot.style.background = colourOf(device.name);
    name.textContent = device.name;
    time.textContent = age(device.time);
    time.title = utc(device.time);
    const facts = [speed(device.speed)];
    if (device.at) facts.unshift(`at ${device.at}`);
    if (device.distance >= 0) facts.push(`${distance(device.distance)} ${direction(device.bearing)}`);
    if (device.failure) facts.unshift(`not known: ${device.failure}`);
    else if (device.shared === false) facts.unshift("no data, expired or not permitted");
    if (device.accuracy !== null) facts.push(`± ${Math.round(device.accuracy)} m`);
    if (device.activity !== "unknown") facts.push(device.activity);
    if (device.battery !== null) facts.push(`battery ${Math.round(device.battery * 100)} %`);
    detail.textContent = facts.join(" · ");
  }

  /** The fields in which groups are named. */
  arrangeGrouping(names, sorted) {
    document.getElementById("group-names").replaceChildren(
      ...sorted.filter(([group]) => group !== "").map(([group]) => new Option(group)));
    const fields = this.grouping.querySelector("div");
    // Written again only for other devices, so that a field keeps the focus while the user types.
    const present = JSON.stringify(names);
    if (present === fields.dataset.names) return;
    fields.dataset.names = present;
    fields.replaceChildren(...names.map((name) => {
      const label = document.createElement("label");
      label.append(name);
      const field = label.appendChild(document.createElement("input"));
      Object.assign(field, { value: this.groups.of(name), maxLength: 40, placeholder: "no group" });
      field.setAttribute("list", "group-names");
      field.dataset.name = name;
      field.addEventListener("change", () => {
        this.groups.put(name, field.value.trim());
        this.order = null;
        this.onChange();
      });
      return label;
    }));
  }
}
