// The ways of a stretch of time on the map, with what their colours mean.

import { activities, activityColours, colourOf, scale } from "./colours.js";
import { clock, dayAndClock, height, speed } from "./format.js";
import { needsAllPoints, pieces } from "./pieces.js";
import { unwrap } from "./places.js";
import { Player } from "./player.js";
import { keep, recall } from "./storage.js";

/** The server returns all points of at most two days at once. */
const longestStep = 2 * 86_400;
/** Of more than 31 days, of which one may have 25 hours, only what a screen shows is asked for. */
const longestInDetail = 31.5 * 86_400;
/** The server's finest grid. */
const largestZoom = 20;
/** The limits of a path, and how many of the server's units one of the field's is. */
const limits = { gap: 60, farthest: 1, shortest: 1 };

export class Drawing {
  /** - `ask`: asks the server, and shows errors. */
  constructor(map, ask) {
    this.map = map;
    this.ask = ask;
    this.player = new Player(map);
    this.legend = document.getElementById("legend");
    this.colour = document.getElementById("colour");
    this.colour.addEventListener("change", () => this.draw());
    this.fields = Object.keys(limits).map((id) => document.getElementById(id));
    const kept = recall("path", {});
    for (const field of this.fields) {
      field.value = kept[field.id] ?? "";
      field.addEventListener("change", () => this.changeLimits());
    }
    this.sayLimits();
    map.onZoom(() => { if (this.wanted && !this.isExact) this.load(); });
    this.ways = [];
  }

  /** Shows the ways of devices from one time to another; nothing for none. */
  show(wanted) {
    this.wanted = wanted;
    if (wanted) return this.load();
    this.turn = (this.turn ?? 0) + 1;
    this.ways = [];
    this.map.clearPaths();
    this.legend.replaceChildren();
    this.player.take([]);
  }

  /** Whether the time is too long for colours of corners. */
  get isLong() { return this.wanted.to - this.wanted.from > longestInDetail; }

  changeLimits() {
    keep("path", Object.fromEntries(this.fields.map((field) => [field.id, field.validity.valid ? field.value : ""])));
    this.sayLimits();
    if (this.wanted) this.load();
  }

  /** The limits in the server's units; `null` for those that are off. */
  get limits() {
    return Object.fromEntries(this.fields.map(({ id, value, validity }) =>
      [id, value !== "" && validity.valid ? Number(value) * limits[id] : null]));
  }

  sayLimits() {
    const set = Object.values(this.limits).filter((value) => value !== null).length;
    document.querySelector("#path summary").textContent = set === 0 ? "Path" : `Path (${set} set)`;
  }

  async load() {
    const turn = this.turn = (this.turn ?? 0) + 1;
    const { devices, from, to } = this.wanted;
    const limits = this.limits;
    const { isLong } = this;
    const isExact = needsAllPoints(limits) && !isLong;
    document.getElementById("inexact").hidden = !isLong || Object.values(limits).every((limit) => limit === null);
    const answers = await Promise.all(devices.map((device) =>
      isLong ? this.cells({ device, from, to }) : this.lines({ device, from, to }, isExact)));
    // Another day was chosen meanwhile, or what went wrong was said.
    if (turn !== this.turn || answers.includes(null)) return;
    this.isExact = isExact;
    this.isPlain = isLong;
    let beginning;
    this.ways = answers.map((lines, index) => {
      const kept = unwrap(isLong ? lines : pieces(lines, limits), beginning);
      beginning ??= kept[0]?.[0][0];
      return { name: devices[index], lines: kept, corners: kept.flat() };
    });
    this.draw();
    if (this.willFit) {
      this.willFit = false;
      this.map.fitPaths();
    }
    const colour = (name) => devices.length > 1 ? colourOf(name) : "#111715";
    this.player.take(isLong ? [] : this.ways.map(({ name, corners }) => ({ corners, colour: colour(name) })));
  }

  /** A device's lines as a screen shows them: cells of half a pixel, without times. */
  async cells({ device, from, to }) {
    const wanted = Math.min(Math.ceil(this.map.zoom), largestZoom);
    const within = Math.max(1, this.map.halfPixel(this.wanted.highest, wanted)).toFixed(1);
    const answer = await this.ask("/api/path", { device, from, to, within, zoom: wanted });
    return answer && answer.lines.map((line) => {
      const corners = [];
      let [x, y] = [0, 0];
      for (let index = 0; index < line.length; index += 2) {
        [x, y] = [x + line[index], y + line[index + 1]];
        corners.push(this.map.place(x / 2, y / 2, answer.zoom));
      }
      return corners;
    });
  }

  /** A device's lines: within half a pixel, or all its points. */
  async lines({ device, from, to }, isExact) {
    if (!isExact) {
      const within = Math.max(1, this.map.tolerance).toFixed(1);
      const answer = await this.ask("/api/path", { device, from, to, within });
      return answer && answer.lines;
    }
    const lines = [];
    for (let begin = from; begin < to; begin += longestStep) {
      const end = Math.min(begin + longestStep, to);
      const answer = await this.ask("/api/path", { device, from: begin, to: end, within: 0 });
      if (!answer) return null;
      lines.push(...answer.lines);
    }
    return lines;
  }

  /** What a corner is coloured by, and how its ends are written. */
  get measure() {
    const hasDays = this.wanted.to - this.wanted.from > 90_000;
    return {
      speed: { index: 3, text: speed }, altitude: { index: 4, text: height },
      time: { index: 2, text: hasDays ? dayAndClock : clock },
    }[this.colour.value];
  }

  draw() {
    if (!this.wanted) return;
    this.map.clearPaths();
    this.colour.disabled = this.ways.length > 1 || this.isPlain;
    if (this.ways.every(({ corners }) => corners.length === 0)) return this.legend.replaceChildren("No path to draw.");
    if (this.ways.length > 1) this.drawDevices();
    else if (this.isPlain) this.drawPlain();
    else if (this.colour.value === "activity") this.drawActivities();
    else this.drawScale();
    this.map.finishPaths();
    this.player.show();
  }

  drawDevices() {
    for (const { name, lines } of this.ways) {
      if (this.isPlain) this.map.drawPlain(lines, colourOf(name)); else this.map.drawPath(lines, () => colourOf(name));
    }
    this.legend.replaceChildren(...this.ways.map(({ name }) => entry(colourOf(name), name)));
  }

  drawPlain() {
    const [{ name, lines }] = this.ways;
    this.map.drawPlain(lines, colourOf(name));
    this.legend.replaceChildren("Drawn in one colour beyond 31 days.");
  }

  drawActivities() {
    const [{ lines, corners }] = this.ways;
    this.map.drawPath(lines, (corner) => activityColours[corner[5]]);
    const kinds = [...new Set(corners.map((corner) => corner[5]))].sort();
    this.legend.replaceChildren(...kinds.map((kind) => entry(activityColours[kind], activities[kind])));
  }

  drawScale() {
    const [{ lines, corners }] = this.ways;
    const { index, text } = this.measure;
    let [least, most] = [Infinity, -Infinity];
    for (const { [index]: value } of corners) {
      if (value !== null) [least, most] = [Math.min(least, value), Math.max(most, value)];
    }
    this.map.drawPath(lines, ({ [index]: value }) =>
      value === null ? activityColours[0] : scale((value - least) / (most - least || 1)));
    if (least > most) return this.legend.replaceChildren(`No ${this.colour.value} is known.`);
    const canvas = document.createElement("canvas");
    canvas.width = 200;
    canvas.height = 1;
    const context = canvas.getContext("2d");
    for (let x = 0; x < 200; x += 1) {
      context.fillStyle = scale(x / 199);
      context.fillRect(x, 0, 1, 1);
    }
    // Of one value there is no scale.
    if (text(least) === text(most)) this.legend.replaceChildren(entry(scale(0), text(least)));
    else this.legend.replaceChildren(text(least), canvas, text(most));
  }
}

/** A colour with its meaning. */
function entry(colour, text) {
  const item = document.createElement("span");
  const dot = item.appendChild(document.createElement("span"));
  dot.className = "dot";
  dot.style.background = colour;
  item.append(` ${text}`);
  return item;
}
