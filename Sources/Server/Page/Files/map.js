// The map: devices, paths, and what lies under them.

import { age, speed } from "./format.js";

/** Colours that are told apart on light and dark ground, also by most who see fewer (after Okabe and Ito). */
const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7e57c2", "#8d6e63"];

const colours = new Map();

/** The colour of a device, the same in every list and on the map. */
export function colourOf(name) {
  if (!colours.has(name)) colours.set(name, palette[colours.size % palette.length]);
  return colours.get(name);
}

export class TrackMap {
  constructor(element) {
    this.map = L.map(element, { preferCanvas: true, worldCopyJump: true, zoomControl: true }).setView([30, 10], 2);
    this.map.attributionControl.setPrefix("Leaflet");
    L.control.scale({ imperial: true }).addTo(this.map);
    this.devices = new Map();
    this.rejections = [];
    // Below everything else, whenever it comes.
    this.map.createPane("ground").style.zIndex = 150;
    this.loadGround();
    this.lines = L.layerGroup().addTo(this.map);
    this.graticule = L.layerGroup().addTo(this.map);
    this.map.on("moveend", () => this.drawGraticule());
    this.drawGraticule();
  }

  /** Coast lines and borders, without asking anybody but our own server. */
  async loadGround() {
    const reply = await fetch("/page/land.json");
    if (!reply.ok) return;
    const { origin, rings } = await reply.json();
    const renderer = L.canvas({ pane: "ground" });
    const places = rings.map((ring) => {
      let [x, y] = ring;
      const line = [[y / 20, x / 20]];
      for (let index = 2; index < ring.length; index += 2) {
        [x, y] = [x + ring[index], y + ring[index + 1]];
        line.push([y / 20, x / 20]);
      }
      return [line];
    });
    const ground = L.polygon(places, { renderer, pane: "ground", interactive: false, weight: 1, fillOpacity: 1 });
    const paint = () => {
      const style = getComputedStyle(document.documentElement);
      ground.setStyle({ color: style.getPropertyValue("--border"), fillColor: style.getPropertyValue("--land") });
    };
    ground.addTo(this.map);
    paint();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    this.map.attributionControl.addAttribution(origin.split(",")[0]);
  }

  /** Parallels and meridians, about six across the map: orientation where there is no ground. */
  drawGraticule() {
    this.graticule.clearLayers();
    const bounds = this.map.getBounds();
    const steps = [45, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
    const wanted = (bounds.getEast() - bounds.getWest()) / 6;
    const step = steps.find((candidate) => candidate <= wanted) ?? steps.at(-1);
    const style = { color: "#7f8c86", weight: 1, opacity: 0.35, interactive: false };
    const [south, north] = [Math.max(bounds.getSouth(), -85), Math.min(bounds.getNorth(), 85)];
    for (let longitude = Math.ceil(bounds.getWest() / step) * step; longitude <= bounds.getEast(); longitude += step) {
      L.polyline([[south, longitude], [north, longitude]], style).addTo(this.graticule);
    }
    for (let latitude = Math.ceil(south / step) * step; latitude <= north; latitude += step) {
      L.polyline([[latitude, bounds.getWest()], [latitude, bounds.getEast()]], style).addTo(this.graticule);
    }
  }

  /** Shows where a device is, with its accuracy and the last of its way. */
  show(device) {
    const [longitude, latitude] = device.place;
    const place = L.latLng(latitude, longitude);
    let shown = this.devices.get(device.name);
    if (!shown) {
      const colour = colourOf(device.name);
      shown = {
        circle: L.circle(place, { radius: 0, color: colour, weight: 1, fillOpacity: 0.12, interactive: false }),
        trail: L.polyline([], { color: colour, weight: 3, opacity: 0.8, interactive: false }),
        dot: L.circleMarker(place, { radius: 7, color: "#ffffff", weight: 2, fillColor: colour, fillOpacity: 1 }),
      };
      for (const layer of [shown.circle, shown.trail, shown.dot]) layer.addTo(this.map);
      // A text node, because a device may have any name.
      shown.dot.bindTooltip(() => document.createTextNode(
        `${shown.device.name}: ${speed(shown.device.speed)}, ${age(shown.device.time)}`));
      this.devices.set(device.name, shown);
    }
    shown.device = device;
    shown.circle.setLatLng(place).setRadius(device.accuracy ?? 0);
    shown.dot.setLatLng(place);
    shown.trail.addLatLng(place);
    if (shown.trail.getLatLngs().length > 2000) shown.trail.setLatLngs(shown.trail.getLatLngs().slice(-1500));
  }

  /** Shows a fix that was not recorded, in grey, with the reason beside the pointer; the newest two hundred stay. */
  showRejection(fix) {
    const [longitude, latitude] = fix.place;
    if (Math.abs(latitude) > 90) return;
    const dot = L.circleMarker([latitude, longitude], {
      radius: 3, color: "#7f8c86", weight: 1, fillColor: "#7f8c86", fillOpacity: 0.6,
    }).bindTooltip(() => document.createTextNode(`not recorded: ${fix.reason}`)).addTo(this.map);
    this.rejections.push(dot);
    if (this.rejections.length > 200) this.rejections.shift().remove();
  }

  /** Begins the trail of a device with the corners of its way so far. */
  startTrail(device, corners) {
    this.show(device);
    this.devices.get(device.name).trail.setLatLngs(corners.map(([longitude, latitude]) => [latitude, longitude]));
  }

  /** Shows or hides the trails: beside a chosen day they would be taken for a part of it. */
  showTrails(isShown) {
    for (const { trail } of this.devices.values()) trail.setStyle({ opacity: isShown ? 0.8 : 0 });
  }

  /** Moves the map so that all devices, or one, are seen. */
  fit(name) {
    const places = [...this.devices.values()].filter((shown) => !name || shown.device.name === name)
      .map((shown) => shown.dot.getLatLng());
    if (places.length > 0) this.map.fitBounds(L.latLngBounds(places), { maxZoom: 16, padding: [40, 40] });
  }

  /** Metres on the ground that half a pixel shows in the middle of the map. */
  get tolerance() {
    const latitude = this.map.getCenter().lat * Math.PI / 180;
    return 156_543.03 * Math.cos(latitude) / 2 ** this.map.getZoom() / 2;
  }

  /** Draws paths whose pieces are coloured by a function of two corners. */
  drawPath(lines, colour) {
    this.lines.clearLayers();
    for (const line of lines) {
      let piece = [];
      let last = null;
      const finish = () => {
        if (piece.length > 1) L.polyline(piece, { color: last, weight: 4, interactive: false }).addTo(this.lines);
      };
      for (let index = 1; index < line.length; index += 1) {
        const next = colour(line[index - 1], line[index]);
        if (next !== last) {
          finish();
          piece = [[line[index - 1][1], line[index - 1][0]]];
          last = next;
        }
        piece.push([line[index][1], line[index][0]]);
      }
      finish();
    }
  }

  /** Shows a place on a path, or none. */
  showMoment(place) {
    if (this.moment) this.moment.remove();
    this.moment = place
      ? L.circleMarker(place, { radius: 8, color: "#ffffff", weight: 2, fillColor: "#111715", fillOpacity: 1 }).addTo(this.map)
      : null;
  }
}
