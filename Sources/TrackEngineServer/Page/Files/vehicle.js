// A device on the map: where it is, where it goes, and the points that were kept.

import { age, clock, speed } from "./format.js";
import { colourOf } from "./colours.js";
import { near, onMap } from "./places.js";

const shapes = { arrow: "M0-12 9 9 0 4.5-9 9Z", dot: "M-7 0a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z" };
/** Below this speed, in metres per second, a receiver's course is chance. */
const slowest = 0.5;
const mostDots = 500;
/** Farther out, dots would cover the trail. */
const leastZoom = 12;
/** A trail of the server ends after ten minutes without a point, and so does this one. */
const longestGap = 600;

export class Vehicle {
  constructor(map, device) {
    this.map = map;
    const colour = colourOf(device.name);
    this.meridian = near(device.place[0], map.getCenter().lng);
    const place = this.at(device.place);
    const image = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    image.setAttribute("viewBox", "-14 -14 28 28");
    this.shape = image.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    this.shape.setAttribute("fill", colour);
    this.circle = L.circle(place, { radius: 0, color: colour, weight: 1, fillOpacity: 0.12, interactive: false });
    this.marker = L.marker(place, {
      // The list shows the same for users of a keyboard.
      icon: L.divIcon({ html: image, className: "vehicle", iconSize: [28, 28] }), keyboard: false,
    });
    // A text node, because a device may have any name.
    this.marker.bindTooltip(() => document.createTextNode(
      `${this.device.name}: ${speed(this.device.speed)}, ${age(this.device.time)}`));
    this.trail = L.polyline([], { color: colour, weight: 3, opacity: 0.8, interactive: false });
    this.dots = [];
    this.body = L.layerGroup([this.trail, this.circle, this.marker]);
    this.dotted = L.layerGroup();
    this.move(device);
  }

  /** Shows or hides the device with its trail. */
  show(isShown) {
    if (isShown) this.body.addTo(this.map); else this.body.remove();
    if (isShown && this.map.getZoom() >= leastZoom) this.dotted.addTo(this.map); else this.dotted.remove();
  }

  /** A place as the map has it, in that turn of the world where the last one was. */
  at([longitude, latitude]) {
    this.meridian = near(longitude, this.meridian);
    return [onMap(latitude), this.meridian];
  }

  /** Goes over to that turn of the world that is nearest to a meridian. */
  turn(centre) {
    const by = near(this.meridian, centre) - this.meridian;
    if (Math.abs(by) < 1) return;
    this.meridian += by;
    const moved = ({ lat, lng }) => [lat, lng + by];
    for (const layer of [this.marker, this.circle, ...this.dots]) layer.setLatLng(moved(layer.getLatLng()));
    this.trail.setLatLngs(this.trail.getLatLngs().map(moved));
  }

  /** Begins the trail with the corners of the way so far. */
  start(corners) {
    this.trail.setLatLngs(corners.map((corner) => this.at(corner)));
    for (const [longitude, latitude, time, speed] of corners) this.addDot({ place: [longitude, latitude], time, speed });
  }

  /** Goes on to a point that was recorded. */
  move(device) {
    const last = this.device?.time ?? -Infinity;
    this.device = device;
    this.stand(device);
    if (device.time - last > longestGap) this.trail.setLatLngs([]);
    this.trail.addLatLng(this.at(device.place));
    if (this.trail.getLatLngs().length > 2000) this.trail.setLatLngs(this.trail.getLatLngs().slice(-1500));
    if (device.time > last) this.addDot(device);
  }

  /** Shows where the device is, also between points that are recorded. */
  stand({ time, place, accuracy, course, speed, isMoving }) {
    const corner = this.at(place);
    this.seen = time;
    this.circle.setLatLng(corner).setRadius(accuracy ?? 0);
    this.marker.setLatLng(corner);
    const stands = isMoving === false || (speed !== null && speed < slowest);
    const kind = course === null || stands ? "dot" : "arrow";
    this.shape.setAttribute("class", kind);
    this.shape.setAttribute("d", shapes[kind]);
    this.shape.style.transform = kind === "arrow" ? `rotate(${course}deg)` : "";
  }

  addDot({ place, time, speed: measured }) {
    const colour = this.trail.options.color;
    const dot = L.circleMarker(this.at(place), {
      radius: 3, color: "#ffffff", weight: 1, fillColor: colour, fillOpacity: 1,
    }).bindTooltip(() => document.createTextNode(`recorded ${clock(time)}, ${speed(measured)}`));
    this.dotted.addLayer(dot);
    this.dots.push(dot);
    if (this.dots.length > mostDots) this.dotted.removeLayer(this.dots.shift());
  }
}
