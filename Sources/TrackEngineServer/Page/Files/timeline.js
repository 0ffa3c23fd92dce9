// A day as a strip: stops, trips and what is neither, from midnight to midnight.

import { hour, minute, shortDay, span } from "./format.js";
import { colourOfMode, nameOfMode, stopColour } from "./modes.js";

/** An element with a class. */
const made = (name, className) => Object.assign(document.createElement(name), { className });

/** The full hours of a day in the viewer's zone, which may have 23 or 25 of them: every sixth. */
function hours(from, to) {
  const begin = new Date(from * 1000);
  const found = [];
  for (let hour = 0; ; hour += 6) {
    const time = new Date(begin.getFullYear(), begin.getMonth(), begin.getDate(), hour).getTime() / 1000;
    if (time > to) return found;
    found.push(time);
  }
}

export class Timeline {
  /** - `pick`: called with the id of a stop or trip that was pressed. */
  constructor(element, words, pick) {
    this.element = element;
    this.words = words;
    this.pick = pick;
    this.parts = [];
  }

  /** Shows the segments of a day; `events` has the visit or trip of an id. */
  show({ from, to, segments }, events) {
    const place = (time) => `${(Math.min(Math.max(time, from), to) - from) / (to - from) * 100}%`;
    this.parts = segments.map((segment) => {
      const event = events.get(segment.id);
      const part = made("div", `part ${segment.kind}`);
      part.style.left = place(segment.from);
      part.style.width = `${(segment.to - segment.from) / (to - from) * 100}%`;
      if (segment.kind === "stop") part.style.background = stopColour;
      if (segment.kind === "moving") part.style.background = colourOfMode(event?.mode);
      if (segment.points > 0) part.classList.add("known");
      const text = this.say(segment, event);
      part.addEventListener("pointerenter", () => { this.words.textContent = text; });
      part.addEventListener("pointerleave", () => this.rest());
      if (event) part.addEventListener("click", () => this.pick(segment.id));
      return { part, id: segment.id, text };
    });
    const ticks = hours(from, to).map((time) => {
      const tick = made("span", "tick");
      tick.style.left = place(time);
      // The name of midnight stands at both ends of the strip.
      if (time <= from) tick.classList.add("first");
      if (time >= to) tick.classList.add("last");
      tick.textContent = hour(time);
      return tick;
    });
    const track = made("div", "track");
    track.append(...this.parts.map(({ part }) => part));
    this.element.replaceChildren(track, ...ticks);
    // The list below says the same, a line for each.
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", `Timeline of ${shortDay(from)}: ${this.parts.map(({ text }) => text).join("; ") || "nothing yet"}`);
    this.rest();
  }

  say(segment, event) {
    const times = `${minute(segment.from)} – ${minute(segment.to)} (${span(segment.to - segment.from)})`;
    if (segment.kind === "moving") return `${nameOfMode(event?.mode ?? "trip")}, ${times}`;
    if (segment.kind === "stop") return `${event?.place?.name ?? "Stop"}, ${times}`;
    return `${segment.points > 0 ? "No stop or trip" : "No data"}, ${times}`;
  }

  /** Marks the segments of a visit or trip. */
  mark(chosen) {
    this.chosen = chosen;
    for (const { part, id } of this.parts) part.classList.toggle("chosen", chosen !== null && id === chosen);
    this.rest();
  }

  rest() {
    const texts = this.parts.filter(({ id }) => id !== undefined && id === this.chosen).map(({ text }) => text);
    this.words.textContent = texts.join("; ") || "Hold the pointer over the strip for details.";
  }
}
