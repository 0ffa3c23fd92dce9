// A day on the map: the way in the colours of its trips, the stops, and what is chosen of them.

import { title } from "./diary.js";
import { colourOfMode, noMode, stopColour } from "./modes.js";
import { metres } from "./pieces.js";
import { near, onMap, unwrap } from "./places.js";

export class DayMap {
  constructor(map) {
    this.map = map;
    this.lines = [];
  }

  /** Draws the lines of a day and its stops. */
  show(lines, events) {
    this.trips = [...events.values()].filter(({ mode }) => mode);
    this.lines = unwrap(lines);
    this.map.clearPaths();
    this.map.drawPath(this.lines, ([, , time]) => this.colour(time));
    this.meridian = this.lines[0]?.[0][0];
    for (const visit of events.values()) if (!visit.mode) this.mark(visit);
    this.map.finishPaths();
  }

  clear() {
    this.lines = [];
    this.map.clearPaths();
  }

  colour(time) {
    const trip = this.trips.find(({ from, to }) => time > from && time <= to);
    return trip ? colourOfMode(trip.mode) : noMode;
  }

  /** Latitude and longitude of a place beside the lines. */
  at([longitude, latitude]) {
    this.meridian ??= longitude;
    return [onMap(latitude), near(longitude, this.meridian)];
  }

  mark(visit) {
    this.map.addMark(this.at(visit.centre), { radius: visit.radius, colour: stopColour, text: title(visit) });
  }

  /** The corners of the way within a time. */
  corners({ from, to }) {
    return this.lines.map((line) => line.filter(([, , time]) => time >= from && time <= to))
      .filter((line) => line.length > 0);
  }

  /** Marks a visit or trip and moves the map to it; nothing for none. */
  choose(event) {
    if (!event) return this.map.highlight([]);
    const corners = event.mode ? this.corners(event) : [];
    const ends = event.mode ? [event.start, event.end].flatMap((end) => end ? [this.at(end.position)] : []) : [this.at(event.centre)];
    this.map.highlight(corners.map((line) => line.map(([longitude, latitude]) => [latitude, longitude])),
      event.mode ? colourOfMode(event.mode) : stopColour, ends, event.radius ?? 0);
  }

  /** Where the device was at a time within a trip, and how far from its start along the way, as far as that is known. */
  pointAt(time, event) {
    const corners = event.mode ? this.corners(event).flat() : [];
    let [length, before, place] = [0, 0, null];
    corners.forEach((corner, index) => {
      if (index > 0) length += metres(corners[index - 1], corner);
      if (corner[2] <= time || place === null) [before, place] = [length, corner];
    });
    if (place === null || length === 0) return {};
    const [longitude, latitude] = place;
    return { latitude, longitude: near(longitude, 0), distance: event.distance * before / length };
  }

  /** When the device was nearest to a place of the map, within a visit or trip; `null` where no point of it is known. */
  timeAt({ lat, lng }, event) {
    let best = null;
    for (const [longitude, latitude, time] of this.corners(event).flat()) {
      const width = Math.cos(latitude * Math.PI / 180);
      const apart = Math.hypot((near(longitude, lng) - lng) * width, latitude - lat);
      if (best === null || apart < best.apart) best = { apart, time };
    }
    return best?.time ?? null;
  }
}
