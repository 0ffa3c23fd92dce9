// A day: what it was filled with, its stops and trips, and what they come to.

import { ask } from "./ask.js";
import { DayMap } from "./daymap.js";
import { Diary } from "./diary.js";
import { count, day, distance, span } from "./format.js";
import { colourOfMode, nameOfMode } from "./modes.js";
import { Timeline } from "./timeline.js";

const element = (id) => document.getElementById(id);

/** The midnight in the viewer's zone that begins the day of a time, so many days later. */
function midnight(time, later = 0) {
  const date = new Date(time * 1000);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime() / 1000;
}

/** A day as a field for dates wants it, and back. */
const written = (time) => {
  const date = new Date(time * 1000);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
};
const read = (text) => {
  const [year, month, date] = text.split("-").map(Number);
  return new Date(year, month - 1, date).getTime() / 1000;
};

export class DayView {
  /** - `corrections`: makes what can be done with a visit or trip. */
  constructor(map, corrections) {
    this.map = map;
    this.drawing = new DayMap(map);
    this.corrections = corrections;
    this.elements = Object.fromEntries(["device", "date", "before", "after", "title", "problem", "empty", "summary"]
      .map((id) => [id, element(`day-${id}`)]));
    this.timeline = new Timeline(element("strip"), element("strip-words"), (id) => this.pick(id));
    this.diary = new Diary(element("events"), (id) => this.pick(id));
    const { device, date, before, after } = this.elements;
    device.addEventListener("change", () => { this.from = this.newestDay; this.load(); });
    date.addEventListener("change", () => { if (date.value) this.go(read(date.value)); });
    before.addEventListener("click", () => this.go(midnight(this.from, -1)));
    after.addEventListener("click", () => this.go(midnight(this.from, 1)));
    element("modes-span").addEventListener("change", () => this.loadModes());
    this.events = new Map();
  }

  get isShown() { return !element("day").hidden; }

  /** Shows the view for the devices that there are. */
  show(devices) {
    this.devices = devices;
    const { device } = this.elements;
    const names = [...devices.keys()].sort((one, other) => one.localeCompare(other));
    const chosen = device.value;
    device.replaceChildren(...names.map((name) => new Option(name, name, false, name === chosen)));
    this.from ??= this.newestDay;
    this.load();
  }

  hide() {
    this.asked = null;
    this.drawing.clear();
  }

  /** The day of the newest point of the device. */
  get newestDay() { return midnight(this.devices.get(this.elements.device.value)?.time ?? Date.now() / 1000); }

  go(from) {
    if (!Number.isFinite(from)) return;
    this.from = from;
    this.chosen = null;
    this.load();
  }

  /** Loads the day; what is chosen and shown stays until it is there. */
  async load({ isQuiet = false } = {}) {
    const { device: { value: device }, date, after, problem } = this.elements;
    const [from, to] = [this.from, midnight(this.from, 1)];
    date.value = written(from);
    after.disabled = to > Date.now() / 1000;
    const asked = this.asked = {};
    const isSame = device === this.loaded?.device && from === this.loaded?.from;
    if (!device) return this.render({ from, to, segments: [], visits: [], trips: [], modes: [] }, [], true);
    try {
      const within = Math.max(1, isSame ? this.map.tolerance : 5).toFixed(1);
      const [answer, path] = await Promise.all([
        ask("/api/day", { device, from, to }), ask("/api/path", { device, from, to, within })]);
      if (asked !== this.asked) return;  // another day was chosen meanwhile
      problem.hidden = true;
      this.loaded = { device, from };
      if (!isSame) this.chosen = null;
      this.render(answer, path.lines, !isSame && !isQuiet);
      this.loadModes();
    } catch (error) {
      if (asked !== this.asked) return;
      this.fail(error);
    }
  }

  fail(error, what = "Not loaded") {
    this.elements.problem.textContent = `${what}: ${error.message}`;
    this.elements.problem.hidden = false;
  }

  render(answer, lines, willFit) {
    this.answer = answer;
    this.lines = lines;
    this.events = new Map([...answer.visits, ...answer.trips].sort((one, other) => one.from - other.from)
      .map((event) => [event.id, event]));
    const { title, summary } = this.elements;
    title.textContent = day(answer.from);
    summary.textContent = this.events.size > 0 ? this.words(answer) : "";
    this.timeline.show(answer, this.events);
    this.diary.show(answer, this.events);
    this.sayEmpty(answer);
    const rejected = answer.rejected ?? [];
    element("rejected-events").hidden = rejected.length === 0;
    element("rejected-events").querySelector("ul").replaceChildren(...this.corrections.rejected(rejected, this));
    this.drawing.show(lines, this.events);
    if (willFit) this.map.fitPaths();
    if (!this.events.has(this.chosen)) this.chosen = null;
    this.mark();
    if (this.chosen) this.drawing.choose(this.events.get(this.chosen));
  }

  words({ visits, trips, modes, isCut }) {
    const length = modes.reduce((sum, mode) => sum + mode.distance, 0);
    const many = (number, name) => `${count(number)} ${name}${number === 1 ? "" : "s"}`;
    return `${many(trips.length, "trip")}, ${distance(length)}; ${many(visits.length, "stop")}${
      isCut ? "; there are more than fit here" : ""}`;
  }

  /** An empty day says why, and what to do. */
  sayEmpty({ visits, trips, segments }) {
    const { empty } = this.elements;
    empty.hidden = visits.length + trips.length > 0;
    if (empty.hidden) return;
    const hasPoints = this.lines.length > 0 || segments.some(({ points }) => points > 0);
    if (this.devices.size === 0) empty.textContent = "No points yet. A device appears here when it sends its first point.";
    else if (!hasPoints) empty.textContent = "Nothing was recorded on this day. Select another day above.";
    else {
      empty.replaceChildren("This day has positions, but no stops or trips yet. A trip appears after some 200 m, a stop after a few minutes at one place. trackd records them with ",
        Object.assign(document.createElement("code"), { textContent: "events: {visits: true, trips: true}" }),
        " in its configuration; phones and other senders send positions only.");
    }
  }

  /** Chooses a visit or trip, or none when it is chosen again. */
  pick(id) {
    this.chosen = this.chosen === id ? null : id;
    this.mark();
    this.drawing.choose(this.events.get(this.chosen));
    if (this.chosen) this.diary.scrollTo(this.chosen);
  }

  mark() {
    const event = this.events.get(this.chosen);
    this.timeline.mark(this.chosen ?? null);
    this.diary.mark(this.chosen, this.corrections.tools(event, this));
  }

  /** The next visit or trip of the same kind. */
  next(event) {
    const same = [...this.events.values()].filter(({ mode }) => Boolean(mode) === Boolean(event.mode));
    return same[same.findIndex(({ id }) => id === event.id) + 1] ?? null;
  }

  /** What the trips of the chosen span come to. */
  async loadModes() {
    const days = Number(element("modes-span").value);
    const { device, from } = this.loaded ?? {};
    if (!device) return;
    const asked = this.askedModes = {};
    const span = { device, from: midnight(from, 1 - days), to: midnight(from, 1) };
    const found = await ask("/api/modes", span).catch((error) => { this.fail(error); return null; });
    if (asked !== this.askedModes || !found) return;
    this.modes = found;
    this.renderModes();
  }

  renderModes() {
    const table = element("modes");
    const found = this.modes ?? [];
    table.hidden = found.length === 0;
    element("no-modes").hidden = found.length > 0;
    table.tBodies[0].replaceChildren(...found.map(({ mode, trips, distance: length, moving }) => {
      const row = document.createElement("tr");
      const dot = Object.assign(document.createElement("span"), { className: "dot" });
      dot.style.background = colourOfMode(mode);
      row.insertCell().append(dot, ` ${nameOfMode(mode)}`);
      for (const text of [count(trips), distance(length), span(moving)]) row.insertCell().textContent = text;
      return row;
    }));
  }

  /** Shows what has just happened, if it is of this day. */
  take({ name, visit, trip, transition, time }) {
    if (!this.isShown || name !== this.loaded?.device) return;
    const times = [visit?.arrival, visit?.departure, trip?.start.time, trip?.end?.time, transition && time]
      .filter(Boolean).map((text) => Date.parse(text) / 1000);
    const [from, to] = [this.from, midnight(this.from, 1)];
    if (Math.min(...times) < to && Math.max(...times) >= from) this.load({ isQuiet: true });
  }

  /** Writes again after a change of units. */
  refresh() {
    if (this.answer) this.render(this.answer, this.lines, false);
    this.renderModes();
  }

  /** Loads again what could not be loaded. */
  retry() { if (this.isShown && !this.elements.problem.hidden) this.load(); }
}
