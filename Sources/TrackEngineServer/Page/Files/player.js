// Plays a path: where each device was at the slider's time.

import { clock, dayAndClock, utc } from "./format.js";

/** Where a device was at a time, as latitude and longitude. */
function place(corners, time) {
  let [low, high] = [1, corners.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (corners[middle][2] >= time) high = middle; else low = middle + 1;
  }
  const [from, to] = [corners[low - 1], corners[low]];
  const part = to[2] > from[2] ? Math.min(Math.max((time - from[2]) / (to[2] - from[2]), 0), 1) : 1;
  return [from[1] + (to[1] - from[1]) * part, from[0] + (to[0] - from[0]) * part];
}

export class Player {
  constructor(map) {
    this.map = map;
    [this.element, this.button, this.time, this.clock] =
      ["player", "play", "time", "clock"].map((id) => document.getElementById(id));
    this.time.addEventListener("input", () => this.show());
    this.button.addEventListener("click", () => this.toggle());
    this.ways = [];
  }

  /** Takes the ways that are drawn: `[{corners, colour}]`. */
  take(ways) {
    this.ways = ways.filter(({ corners }) => corners.length > 1);
    this.element.hidden = this.ways.length === 0;
    if (this.ways.length === 0) this.stop();
    this.show();
  }

  show() {
    if (this.ways.length === 0) return this.map.showMoments([]);
    const first = Math.min(...this.ways.map(({ corners }) => corners[0][2]));
    const last = Math.max(...this.ways.map(({ corners }) => corners.at(-1)[2]));
    const time = first + (last - first) * this.time.value / 1000;
    this.clock.textContent = last - first > 86_400 ? dayAndClock(time) : clock(time);
    this.clock.title = utc(Math.round(time));
    this.time.setAttribute("aria-valuetext", this.clock.textContent);
    this.map.showMoments(this.ways.map(({ corners, colour }) => [place(corners, time), colour]));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (Number(this.time.value) >= 1000) this.time.value = 0;
    this.label("Pause");
    this.timer = setInterval(() => {
      this.time.value = Number(this.time.value) + 2;
      this.show();
      if (Number(this.time.value) >= 1000) this.stop();
    }, 40);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.label("Play");
  }

  label(name) { this.button.textContent = name; }
}
