// The history: days, their sums, and the way of a day.

import { activities, activityColours, scale } from "./colours.js";
import { clock, day, distance, height, span, speed, utc } from "./format.js";

/** The midnights of the viewer's zone, from so many days ago to tomorrow. */
function midnights(days) {
  const bounds = [];
  const today = new Date();
  for (let back = days - 1; back >= -1; back -= 1) {
    bounds.push(new Date(today.getFullYear(), today.getMonth(), today.getDate() - back).getTime() / 1000);
  }
  return bounds;
}

export class HistoryView {
  constructor(map) {
    this.map = map;
    this.elements = Object.fromEntries(
      ["device", "span", "colour", "days", "no-days", "problem", "legend", "player", "play", "time", "clock",
        "day", "get-gpx", "get-geojson", "get-csv", "remove"]
        .map((id) => [id, document.getElementById(id)]));
    this.elements.device.addEventListener("change", () => this.loadDays());
    this.elements.span.addEventListener("change", () => this.loadDays());
    this.elements.colour.addEventListener("change", () => this.draw());
    this.elements.time.addEventListener("input", () => this.showMoment());
    this.elements.play.addEventListener("click", () => this.togglePlay());
    this.map.map.on("zoomend", () => { if (this.selected) this.loadPath(); });
    this.elements.remove.addEventListener("click", () => this.remove());
    this.lines = [];
  }

  /** Shows the view for the devices that there are. */
  show(names) {
    const chosen = this.elements.device.value;
    this.elements.device.replaceChildren(...names.map((name) => new Option(name, name, false, name === chosen)));
    this.loadDays();
  }

  hide() {
    this.stop();
    this.map.clearPaths();
    this.map.showMoments([]);
  }

  async ask(path, parameters, method = "GET") {
    this.elements.problem.hidden = true;
    try {
      const reply = await fetch(`${path}?${new URLSearchParams(parameters)}`, { method });
      const answer = await reply.json();
      if (!reply.ok) throw new Error(answer.error ?? `the server answered ${reply.status}`);
      return answer;
    } catch (error) {
      this.elements.problem.textContent = `Not loaded: ${error.message}`;
      this.elements.problem.hidden = false;
      return null;
    }
  }

  async loadDays() {
    const device = this.elements.device.value;
    const bounds = midnights(Number(this.elements.span.value));
    const sums = device ? await this.ask("/api/summaries", { device, bounds: bounds.join(",") }) : [];
    if (!sums) return;
    const days = sums.map((sum, index) => ({ sum, from: bounds[index], to: bounds[index + 1] }))
      .filter((entry) => entry.sum).reverse();
    this.elements["no-days"].hidden = days.length > 0;
    this.elements.days.hidden = days.length === 0;
    this.elements.days.tBodies[0].replaceChildren(...days.map((entry) => this.row(entry)));
    this.elements.days.tFoot.replaceChildren(this.total(days));
    this.elements.day.hidden = days.length === 0;
    if (days.length > 0) this.select(days[0], this.elements.days.tBodies[0].rows[0]);
  }

  row(entry) {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.textContent = day(entry.from);
    row.insertCell().append(button);
    const { sum } = entry;
    for (const text of [
      distance(sum.distance), span(sum.moving), speed(sum.moving > 0 ? sum.distance / sum.moving : null), speed(sum.topSpeed),
    ]) row.insertCell().textContent = text;
    row.addEventListener("click", () => this.select(entry, row));
    return row;
  }

  total(days) {
    const row = document.createElement("tr");
    const sum = (pick) => days.reduce((total, entry) => total + pick(entry.sum), 0);
    const [length, moving] = [sum((entry) => entry.distance), sum((entry) => entry.moving)];
    const top = Math.max(...days.map((entry) => entry.sum.topSpeed ?? 0));
    for (const text of [
      `${days.length} days`, distance(length), span(moving), speed(moving > 0 ? length / moving : null), speed(top),
    ]) row.insertCell().textContent = text;
    return row;
  }

  select(entry, row) {
    this.stop();
    for (const other of this.elements.days.tBodies[0].rows) other.setAttribute("aria-selected", other === row);
    this.selected = entry;
    this.elements.day.hidden = false;
    this.disarm();
    for (const format of ["gpx", "geojson", "csv"]) {
      this.elements[`get-${format}`].href = `/api/export?${new URLSearchParams({ ...this.times, format })}`;
    }
    const [[west, south], [east, north]] = entry.sum.area;
    this.map.map.fitBounds([[south, west], [north, east]], { maxZoom: 17, padding: [30, 30], animate: false });
    this.loadPath();
  }

  /** What the selected day is to the server. */
  get times() {
    return { device: this.elements.device.value, from: this.selected.from, to: this.selected.to };
  }

  /** Deletes the selected day, when it is asked for twice. */
  async remove() {
    const button = this.elements.remove;
    if (!button.classList.contains("armed")) {
      button.classList.add("armed");
      button.textContent = `Delete ${day(this.selected.from)} for good`;
      return;
    }
    this.disarm();
    const answer = await this.ask("/api/points", this.times, "DELETE");
    if (answer) this.loadDays();
  }

  disarm() {
    this.elements.remove.classList.remove("armed");
    this.elements.remove.textContent = "Delete …";
  }

  async loadPath() {
    const entry = this.selected;
    const within = Math.max(1, this.map.tolerance).toFixed(1);
    const answer = await this.ask("/api/path", { ...this.times, within });
    if (!answer || entry !== this.selected) return;  // another day was chosen meanwhile
    this.lines = answer.lines;
    this.corners = answer.lines.flat();
    this.elements.player.hidden = this.corners.length < 2;
    this.draw();
    this.showMoment();
  }

  /** What a corner is coloured by, and the ends of its scale. */
  get measure() {
    const values = (index) => this.corners.map((corner) => corner[index]).filter((value) => value !== null);
    const ends = (list) => list.length > 0 ? [Math.min(...list), Math.max(...list)] : [0, 0];
    switch (this.elements.colour.value) {
      case "altitude": return { value: (corner) => corner[4], ends: ends(values(4)), text: height };
      case "time": return { value: (corner) => corner[2], ends: ends(values(2)), text: clock };
      default: return { value: (corner) => corner[3], ends: ends(values(3)), text: speed };
    }
  }

  draw() {
    if (!this.corners) return;
    this.map.clearPaths();
    if (this.elements.colour.value === "activity") {
      this.map.drawPath(this.lines, (corner) => activityColours[corner[5]]);
      this.elements.legend.replaceChildren(...[...new Set(this.corners.map((corner) => corner[5]))].sort().map((kind) => {
        const item = document.createElement("span");
        const dot = item.appendChild(document.createElement("span"));
        dot.className = "dot";
        dot.style.display = "inline-block";
        dot.style.background = activityColours[kind];
        item.append(` ${activities[kind]}`);
        return item;
      }));
      return;
    }
    const { value, ends: [least, most], text } = this.measure;
    const width = most - least || 1;
    this.map.drawPath(this.lines, (corner) => {
      const measured = value(corner);
      return measured === null ? activityColours[0] : scale((measured - least) / width);
    });
    const canvas = document.createElement("canvas");
    canvas.width = 200;
    canvas.height = 1;
    const context = canvas.getContext("2d");
    for (let x = 0; x < 200; x += 1) {
      context.fillStyle = scale(x / 199);
      context.fillRect(x, 0, 1, 1);
    }
    this.elements.legend.replaceChildren(text(least), canvas, text(most));
  }

  /** Shows where the device was at the slider's time. */
  showMoment() {
    if (!this.corners || this.corners.length < 2) return this.map.showMoments([]);
    const [first, last] = [this.corners[0][2], this.corners.at(-1)[2]];
    const time = first + (last - first) * this.elements.time.value / 1000;
    this.elements.clock.textContent = clock(time);
    this.elements.clock.title = utc(time);
    const next = Math.max(1, this.corners.findIndex((corner) => corner[2] >= time));
    const [from, to] = [this.corners[next - 1], this.corners[next]];
    const part = to[2] > from[2] ? Math.min(Math.max((time - from[2]) / (to[2] - from[2]), 0), 1) : 1;
    this.map.showMoments([[[from[1] + (to[1] - from[1]) * part, from[0] + (to[0] - from[0]) * part], "#111715"]]);
  }

  togglePlay() {
    if (this.timer) return this.stop();
    if (Number(this.elements.time.value) >= 1000) this.elements.time.value = 0;
    this.elements.play.textContent = "⏸";
    this.elements.play.setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => {
      this.elements.time.value = Number(this.elements.time.value) + 2;
      this.showMoment();
      if (Number(this.elements.time.value) >= 1000) this.stop();
    }, 40);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.elements.play.textContent = "▶";
    this.elements.play.setAttribute("aria-label", "Play");
  }
}
