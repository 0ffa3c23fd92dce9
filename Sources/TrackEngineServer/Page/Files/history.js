// The history: days, their sums, and what is chosen of them.

import { Chart } from "./chart.js";
import { colourOf } from "./colours.js";
import { bareSpeed, count, day, dayOfYear, days as dayRange, distance, height, span, speedUnit } from "./format.js";
import { Drawing } from "./drawing.js";
import { Rejected } from "./rejected.js";
import { signed } from "./session.js";

/** The midnights of the viewer's zone around the days up to one, of which a time is given. */
function midnights(days, time) {
  const bounds = [];
  const last = new Date(time * 1000);
  for (let back = days - 1; back >= -1; back -= 1) {
    bounds.push(new Date(last.getFullYear(), last.getMonth(), last.getDate() - back).getTime() / 1000);
  }
  return bounds;
}

/** What is written of a day, or of all. */
const sums = ({ distance: length, moving, topSpeed, climb }) =>
  [distance(length), span(moving), bareSpeed(moving > 0 ? length / moving : null), bareSpeed(topSpeed), height(climb)];

export class HistoryView {
  constructor(map) {
    this.map = map;
    this.elements = Object.fromEntries(
      ["device", "span", "ending", "others", "days", "no-days", "problem", "done", "choice", "chosen", "from", "to",
        "get-gpx", "get-geojson", "get-csv", "remove"]
        .map((id) => [id, document.getElementById(id)]));
    const { device, span: lookback, from, to, remove, days } = this.elements;
    this.drawing = new Drawing(map, (path, parameters) => this.ask(path, parameters));
    this.rejected = new Rejected(map, (path, parameters) => this.ask(path, parameters));
    this.chart = new Chart(document.getElementById("chart"), (entry, isRange) => this.pick(entry, isRange));
    device.addEventListener("change", () => { this.fillOthers(); this.loadDays(); });
    lookback.addEventListener("change", () => this.loadDays());
    for (const bound of [from, to]) bound.addEventListener("change", () => this.choose(this.day(from), this.day(to)));
    // Shift chooses days here, not text.
    days.addEventListener("mousedown", (event) => { if (event.shiftKey) event.preventDefault(); });
    remove.addEventListener("click", () => this.remove());
    remove.addEventListener("blur", () => this.disarm());
    remove.addEventListener("keydown", (event) => { if (event.key === "Escape") this.disarm(); });
    this.days = [];
  }

  /** Shows the view for the devices that there are, by their names. */
  show(devices) {
    this.newest = new Map([...devices].map(([name, { time }]) => [name, time]));
    this.names = [...devices.keys()].sort((one, other) => one.localeCompare(other));
    const names = this.names;
    const chosen = this.elements.device.value;
    this.elements.device.replaceChildren(...names.map((name) => new Option(name, name, false, name === chosen)));
    this.fillOthers();
    this.loadDays();
  }

  hide() {
    this.drawing.player.stop();
    this.showNothing();
  }

  showNothing() {
    this.drawing.show(null);
    this.rejected.show(null);
  }

  /** The other devices, which can be drawn besides. */
  fillOthers() {
    const { others, device } = this.elements;
    const checked = new Set(this.others);
    const names = this.names.filter((name) => name !== device.value);
    others.hidden = names.length === 0;
    others.replaceChildren(others.firstElementChild, ...names.map((name) => {
      const label = document.createElement("label");
      const box = label.appendChild(document.createElement("input"));
      Object.assign(box, { type: "checkbox", value: name, checked: checked.has(name) });
      box.addEventListener("change", () => this.draw());
      const dot = label.appendChild(document.createElement("span"));
      dot.className = "dot";
      dot.style.background = colourOf(name);
      label.append(name);
      return label;
    }));
  }

  get others() {
    return [...this.elements.others.querySelectorAll("input:checked")].map((box) => box.value);
  }

  async ask(path, parameters, method = "GET") {
    this.elements.problem.hidden = true;
    try {
      const reply = await fetch(signed(`${path}?${new URLSearchParams(parameters)}`), { method })
        .catch(() => { throw new Error("no connection to the server"); });
      const answer = await reply.json().catch(() => null);
      if (!reply.ok || answer === null) throw new Error(answer?.error ?? `the server answered ${reply.status}`);
      return answer;
    } catch (error) {
      const what = method === "DELETE" ? "Not deleted" : "Not loaded";
      this.elements.problem.textContent = `${what}: ${error.message}`;
      this.elements.problem.hidden = false;
      return null;
    }
  }

  /** The midnights of the span, which ends with the newest day of a device that has nothing in the last days. */
  bounds(device) {
    const { span: { value, selectedOptions }, ending } = this.elements;
    const bounds = midnights(Number(value), Date.now() / 1000);
    const newest = this.newest.get(device);
    const isOld = newest !== undefined && newest < bounds[0];
    const length = value === "1" ? "" : `${selectedOptions[0].text} up to `;
    ending.textContent = isOld ? `${length}${dayOfYear(newest)}, the day of the newest point` : "";
    ending.hidden = !isOld;
    return isOld ? midnights(Number(value), newest) : bounds;
  }

  /** Days, chart and map show the span before while another one comes. */
  set isBusy(isBusy) {
    for (const part of [this.elements.days, document.getElementById("chart")]) part.setAttribute("aria-busy", isBusy);
  }

  async loadDays() {
    const device = this.elements.device.value;
    const bounds = this.bounds(device);
    this.isBusy = true;
    const asked = this.asked = {};
    const sums = device ? await this.ask("/api/summaries", { device, bounds: bounds.join(",") }) : [];
    if (asked !== this.asked) return;  // another device or span was chosen meanwhile
    this.isBusy = false;
    this.hasFailed = !sums;
    const isSame = device === this.loaded;
    // What is shown stays, unless it is of another device.
    if (this.hasFailed && isSame) return;
    this.loaded = device;
    this.span = sums
      ? bounds.slice(0, -1).map((from, index) => ({ sum: sums[index] ?? null, from, to: bounds[index + 1] })) : [];
    this.days = this.span.filter((entry) => entry.sum).reverse();
    this.render();
    // What was chosen stays chosen, where there still is something.
    const [first, last] = [this.first, this.last].map((old) =>
      isSame && old ? this.days.find((entry) => entry.from === old.from) : null);
    const newest = this.days[0];
    if (newest) this.choose(first ?? last ?? newest, last ?? first ?? newest);
    else this.showNothing();
  }

  /** Writes the days again, in the units that are chosen now. */
  render() {
    const { days, choice: chosen, "no-days": none, from, to } = this.elements;
    none.textContent = this.names.length === 0 ? "No points yet." : "Nothing was recorded in this span.";
    none.hidden = this.days.length > 0 || this.hasFailed;
    for (const id of ["path", "rejections"]) document.getElementById(id).hidden = this.days.length === 0;
    days.hidden = chosen.hidden = this.days.length === 0;
    for (const unit of days.querySelectorAll("span")) unit.textContent = speedUnit();
    days.tBodies[0].replaceChildren(...this.days.map((entry) => this.row(entry)));
    days.tFoot.replaceChildren(this.total(this.days));
    for (const bound of [from, to]) {
      bound.replaceChildren(...this.days.map((entry) => new Option(day(entry.from), entry.from)));
    }
    this.chart.show(this.span ?? []);
  }

  /** Loads again what could not be loaded. */
  retry() {
    if (this.hasFailed && !document.getElementById("history").hidden) this.loadDays();
  }

  /** Writes again after a change of units. */
  refresh() {
    this.render();
    this.mark();
    this.drawing.draw();
  }

  row(entry) {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.textContent = day(entry.from);
    row.insertCell().append(button);
    const { sum } = entry;
    for (const text of sums(sum)) row.insertCell().textContent = text;
    row.addEventListener("click", (event) => this.pick(entry, event.shiftKey));
    return row;
  }

  total(days) {
    const row = document.createElement("tr");
    const known = (name) => days.flatMap(({ sum }) => sum[name] ?? []);
    const add = (name) => known(name).reduce((total, value) => total + value, 0);
    const all = {
      distance: add("distance"), moving: add("moving"),
      topSpeed: known("topSpeed").length > 0 ? Math.max(...known("topSpeed")) : null,
      climb: known("climb").length > 0 ? add("climb") : null,
    };
    for (const text of [days.length === 1 ? "1 day" : `${days.length} days`, ...sums(all)]) {
      row.insertCell().textContent = text;
    }
    return row;
  }

  day(select) { return this.days.find((entry) => entry.from === Number(select.value)); }

  /** Chooses a day, or with shift all days from the one that was chosen before. */
  pick(entry, isRange) {
    const begin = isRange ? this.anchor ?? entry : entry;
    this.choose(begin, entry);
    this.anchor = begin;
  }

  /** Chooses all days from one to another. */
  choose(one, other) {
    const isNew = this.loaded !== this.chosenOf || Math.min(one.from, other.from) !== this.first?.from
      || Math.max(one.to, other.to) !== this.last?.to;
    [this.first, this.last] = one.from <= other.from ? [one, other] : [other, one];
    this.anchor = one;
    this.chosenOf = this.loaded;
    this.elements.done.textContent = "";
    if (isNew) this.drawing.player.stop();
    this.mark();
    if (isNew) this.fit();
    this.draw();
  }

  get chosen() { return this.days.filter((entry) => entry.from >= this.first.from && entry.to <= this.last.to); }

  mark() {
    if (this.days.length === 0) return;
    const { days, from, to, chosen: title } = this.elements;
    const chosen = this.chosen;
    this.days.forEach((entry, index) => {
      const row = days.tBodies[0].rows[index];
      row.classList.toggle("chosen", chosen.includes(entry));
      row.querySelector("button").setAttribute("aria-pressed", chosen.includes(entry));
    });
    from.value = this.first.from;
    to.value = this.last.from;
    const length = chosen.reduce((sum, entry) => sum + entry.sum.distance, 0);
    title.textContent = `${dayRange(this.first.from, this.last.from)}: ${distance(length)}${
      chosen.length > 1 ? `, ${chosen.length} days with points` : ""}`;
    this.chart.mark(chosen);
    this.disarm();
    for (const format of ["gpx", "geojson", "csv"]) {
      this.elements[`get-${format}`].href = signed(`/api/export?${new URLSearchParams({ ...this.times, format })}`);
    }
  }

  /** Shows where what is chosen is: the areas of its days, or what will be drawn. */
  fit() { this.drawing.willFit = !this.map.fitAreas(this.chosen.map(({ sum }) => sum.area)); }

  draw() {
    if (this.days.length === 0) return;
    const { device, from, to } = this.times;
    const highest = Math.max(...this.chosen.flatMap(({ sum }) => sum.area.map(([, latitude]) => Math.abs(latitude))));
    const wanted = { devices: [device, ...this.others], from, to, highest };
    this.drawing.show(wanted);
    this.rejected.show(wanted);
  }

  /** What is chosen, as the server is asked for it. */
  get times() {
    return { device: this.loaded, from: this.first.from, to: this.last.to };
  }

  /** The server takes deletions only with the key for editing. */
  allowDeleting(mayDelete) { this.elements.remove.hidden = !mayDelete; }

  /** Deletes what is chosen, when it is asked for twice. */
  async remove() {
    const button = this.elements.remove;
    if (this.elements.device.value !== this.loaded) return;  // another device's days are on their way
    if (!button.classList.contains("armed")) {
      const points = this.chosen.reduce((sum, entry) => sum + entry.sum.points, 0);
      button.classList.add("armed");
      const days = this.chosen.length === 1 ? "day" : `${this.chosen.length} days`;
      button.textContent = `Delete ${days}, ${count(points)} points of ${this.loaded}, for good`;
      return;
    }
    const times = this.times;
    this.disarm();
    const answer = await this.ask("/api/points", times, "DELETE");
    if (!answer) return;
    const devices = await this.ask("/api/devices", {});
    if (devices) this.newest = new Map(devices.map(({ name, time }) => [name, time]));
    await this.loadDays();
    this.elements.done.textContent = answer.removed === 1
      ? "1 point was deleted." : `${count(answer.removed)} points were deleted.`;
  }

  disarm() {
    const { remove } = this.elements;
    remove.classList.remove("armed");
    remove.textContent = `Delete ${dayRange(this.first.from, this.last.from)} …`;
  }
}
