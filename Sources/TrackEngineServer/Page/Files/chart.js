// Bars of the distance of each day.

import { day, distance, lengthAxis, shortDay } from "./format.js";

const [height, left, top, bottom] = [120, 54, 8, 20];

/** An element of a drawing. */
function shape(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent.appendChild(made);
}

export class Chart {
  /** - `pick`: called with a day that was chosen, and whether with shift. */
  constructor(element, pick) {
    this.element = element;
    this.pick = pick;
    this.text = element.querySelector("figcaption");
    this.days = [];
    this.chosen = [];
    new ResizeObserver(() => this.resize()).observe(element);
  }

  /** Shows days: `[{from, to, sum}]`, where `sum` is `null` for a day without data. */
  show(days) {
    this.days = days;
    this.element.hidden = days.length < 2 || days.every(({ sum }) => !sum);
    this.draw();
  }

  resize() {
    if (this.element.clientWidth !== this.width) this.draw();
  }

  /** Marks the days that are chosen. */
  mark(chosen) {
    this.chosen = chosen;
    for (const bar of this.bars ?? []) {
      const isChosen = chosen.includes(bar.entry);
      bar.box.classList.toggle("chosen", isChosen);
      bar.box.setAttribute("aria-pressed", isChosen);
    }
    this.current = (this.bars ?? []).findIndex(({ entry }) => entry === chosen.at(0));
    this.bars?.forEach(({ box }, index) => box.setAttribute("tabindex", index === Math.max(this.current, 0) ? 0 : -1));
    this.say(null);
  }

  draw() {
    this.element.querySelector("svg")?.remove();
    this.bars = [];
    this.width = this.element.clientWidth;
    if (this.element.hidden || this.width === 0) return;
    const svg = shape("svg", { width: this.width, height, role: "group", "aria-label": "Distance a day" }, this.element);
    const axis = lengthAxis(Math.max(...this.days.map(({ sum }) => sum?.distance ?? 0)));
    const tall = height - top - bottom;
    const y = (metres) => top + tall * (1 - metres / axis.end);
    for (const { value, text } of axis.ticks) {
      shape("line", { class: "grid", x1: left, x2: this.width, y1: y(value), y2: y(value) }, svg);
      shape("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, svg).textContent = text;
    }
    const step = (this.width - left) / this.days.length;
    this.days.forEach((entry, index) => {
      const x = left + index * step;
      const box = shape("g", { class: "bar", role: "button" }, svg);
      const metres = entry.sum?.distance ?? 0;
      // A day with data and no distance is a line; one without data is a gap.
      const drawn = entry.sum ? Math.max(y(0) - y(metres), 1.5) : 0;
      const wide = Math.min(Math.max(step * 0.8, 1), 40);
      shape("rect", { class: "area", x, y: 0, width: step, height: height - bottom }, box);
      shape("rect", { class: "value", x: x + (step - wide) / 2, y: y(0) - drawn, width: wide, height: drawn }, box);
      box.setAttribute("aria-label", this.words(entry));
      if (!entry.sum) box.setAttribute("aria-disabled", "true");
      this.listen(box, entry, index);
      this.bars.push({ box, entry });
    });
    this.labelDays(svg, step);
    this.mark(this.chosen);
  }

  labelDays(svg, step) {
    const room = Math.max(1, Math.floor((this.width - left) / 62));
    const every = Math.ceil(this.days.length / room);
    // Counted from the newest day, which always has its label.
    for (let index = this.days.length - 1; index >= 0; index -= every) {
      const [x, half] = [left + (index + 0.5) * step, 22];
      shape("text", { x: Math.min(x, this.width - half), y: height - 5, "text-anchor": "middle" }, svg).textContent =
        shortDay(this.days[index].from);
    }
  }

  listen(box, entry, index) {
    const pick = (event) => { if (entry.sum) this.pick(entry, event.shiftKey); };
    box.addEventListener("click", pick);
    for (const name of ["pointerenter", "focus"]) box.addEventListener(name, () => this.say(entry));
    for (const name of ["pointerleave", "blur"]) box.addEventListener(name, () => this.say(null));
    box.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
      if (event.key === "Enter" || event.key === " ") pick(event);
      else if (event.key in steps) {
        const place = Math.min(Math.max(index + steps[event.key], 0), this.bars.length - 1);
        const next = this.bars[place].box;
        box.setAttribute("tabindex", -1);
        next.setAttribute("tabindex", 0);
        next.focus();
      } else return;
      event.preventDefault();
    });
  }

  words({ from, sum }) {
    return `${day(from)}: ${sum ? distance(sum.distance) : "no data"}`;
  }

  /** Says what a bar is, in a line that is always there. */
  say(entry) {
    this.text.textContent = entry ? this.words(entry) : "Distance a day";
  }
}
