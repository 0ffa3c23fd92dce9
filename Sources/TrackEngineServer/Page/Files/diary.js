// The stops and trips of a day as a list, with their figures.

import { distance, height, minute, shortDay, span, speed, utc } from "./format.js";
import { colourOfMode, nameOfMode, stopColour } from "./modes.js";

/** Shorter ones are not worth a line. */
const shortestGap = 600;

/** An element with a class and a text; whatever a place is called, it is text. */
function made(name, className, text = "") {
  const element = Object.assign(document.createElement(name), { className });
  element.textContent = text;
  return element;
}

/** From when to when; beyond the day with their dates. */
function times({ from, to, isOpen, startsBefore, endsAfter }) {
  const begin = startsBefore ? `${shortDay(from)}, ${minute(from)}` : minute(from);
  if (isOpen) return `since ${begin}`;
  return `${begin} – ${endsAfter ? `${shortDay(to)}, ${minute(to)}` : minute(to)}`;
}

/** What is known of a trip beside its times. */
function figures(trip) {
  const facts = [];
  if (trip.start.place || trip.end?.place) {
    facts.push(`${trip.start.place?.name ?? "…"} → ${trip.end?.place?.name ?? "…"}`);
  }
  if (trip.moving > 0) facts.push(`moving ${span(trip.moving)}`);
  if (trip.meanSpeed !== null) facts.push(`mean ${speed(trip.meanSpeed)}`);
  if (trip.topSpeed !== null) facts.push(`top ${speed(trip.topSpeed)}`);
  if (trip.climb !== null) facts.push(`climb ${height(trip.climb)}`);
  return facts;
}

/** What a visit or a trip is called. */
export function title(event) {
  if (event.mode) return `${nameOfMode(event.mode)}, ${distance(event.distance)}`;
  return event.place?.name ?? "Stop";
}

export class Diary {
  /** - `pick`: called with the id of the entry that was pressed. */
  constructor(element, pick) {
    this.element = element;
    this.pick = pick;
    this.rows = new Map();
  }

  /** Shows the visits and trips of a day in their order, and between them the gaps. */
  show({ segments }, events) {
    const focused = [...this.rows].find(([, { button }]) => button === document.activeElement)?.[0];
    // A text below describes a day without any.
    const gaps = events.size === 0 ? [] : segments.filter(({ kind, from, to }) => kind === "gap" && to - from >= shortestGap);
    const sorted = [...events.values(), ...gaps].sort((one, other) => one.from - other.from);
    this.rows = new Map();
    this.element.replaceChildren(...sorted.map((item) => item.kind === "gap" ? this.gap(item) : this.row(item)));
    this.rows.get(focused)?.button.focus();
  }

  gap({ from, to, points }) {
    const what = points > 0 ? "no stop or trip" : "no data";
    return made("li", "gap", `${minute(from)} – ${minute(to)}: ${what}, ${span(to - from)}`);
  }

  row(event) {
    const item = made("li", event.mode ? "trip" : "stop");
    const button = item.appendChild(made("button", ""));
    const dot = button.appendChild(made("span", "dot"));
    dot.style.background = event.mode ? colourOfMode(event.mode) : stopColour;
    button.append(made("span", "name", title(event)), made("span", "length", span(event.to - event.from)));
    const when = made("span", "detail", times(event));
    when.title = `${utc(event.from)} – ${event.isOpen ? "" : utc(event.to)}`;
    const marks = [];
    if (event.startsBefore || event.endsAfter) marks.push("over midnight");
    if (event.isOpen) marks.push(event.mode ? "under way" : "still there");
    if (event.isCorrected) marks.push("corrected");
    for (const mark of marks) when.append(" ", made("span", "mark", mark));
    button.append(when);
    const facts = event.mode ? figures(event) : [];
    if (facts.length > 0) button.append(made("span", "detail", facts.join(" · ")));
    button.addEventListener("click", () => this.pick(event.id));
    this.rows.set(event.id, { item, button });
    return item;
  }

  /** Marks an entry, and shows what can be done with it below its line. */
  mark(chosen, tools) {
    for (const [id, { item, button }] of this.rows) {
      button.setAttribute("aria-pressed", id === chosen);
      item.classList.toggle("chosen", id === chosen);
      if (id === chosen && tools) item.append(tools);
    }
  }

  /** Moves an entry into the view. */
  scrollTo(id) { this.rows.get(id)?.item.scrollIntoView({ block: "nearest" }); }
}
