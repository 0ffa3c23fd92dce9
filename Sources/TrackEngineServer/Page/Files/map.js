// The map: devices, paths, and places on them.

import { clock } from "./format.js";
import { addGraticule, addLand } from "./ground.js";
import { near, onMap, together } from "./places.js";
import { words } from "./rejected.js";
import { addTiles } from "./tiles.js";
import { Vehicle } from "./vehicle.js";

/** Places of a layer, so many degrees farther east. */
const shifted = (places, by) => places.map((place) =>
  Array.isArray(place) ? shifted(place, by) : [place.lat, place.lng + by]);

export class TrackMap {
  constructor(element) {
    this.element = element;
    this.map = L.map(element, { preferCanvas: true, minZoom: 0, maxZoom: 22 }).setView([30, 10], 2);
    this.map.attributionControl.setPrefix("Leaflet");
    L.control.scale({ imperial: true }).addTo(this.map);
    addLand(this.map);
    addTiles(this.map);
    this.lines = L.layerGroup().addTo(this.map);
    addGraticule(this.map);
    this.map.on("zoomend", () => this.update());
    this.map.on("moveend", () => this.arrange());
    this.vehicles = new Map();
    this.isLive = true;
    this.hides = () => false;
    this.rejections = L.layerGroup().addTo(this.map);
    this.rejected = L.layerGroup().addTo(this.map);
    this.moments = L.layerGroup().addTo(this.map);
    this.marks = L.layerGroup().addTo(this.map);
    this.chosen = L.layerGroup().addTo(this.map);
    this.clearPaths();
    // The map's room changes with the window and with what is beside it.
    new ResizeObserver(() => this.map.invalidateSize({ animate: false })).observe(element);
  }

  /** Shows everything in that turn of the world that is looked at. */
  arrange() {
    const centre = this.map.getCenter();
    // Land is drawn but three times.
    if (Math.abs(centre.lng) > 270) {
      return this.map.setView([centre.lat, near(centre.lng, 0)], this.map.getZoom(), { animate: false });
    }
    for (const vehicle of this.vehicles.values()) vehicle.turn(centre.lng);
    for (const dots of [this.rejections, this.rejected]) dots.eachLayer((dot) => this.bring(dot, centre.lng));
    this.turnPaths(centre.lng);
  }

  /** Moves a dot into the turn of the world that is looked at. */
  bring(dot, centre) {
    const { lat, lng } = dot.getLatLng();
    if (near(lng, centre) !== lng) dot.setLatLng([lat, near(lng, centre)]);
  }

  turnPaths(centre) {
    if (!this.drawn.isValid()) return;
    const middle = this.drawn.getCenter().lng;
    const by = near(middle, centre) - middle;
    if (Math.abs(by) < 1) return;
    this.turn += by;
    this.drawn = L.latLngBounds(shifted([this.drawn.getSouthWest(), this.drawn.getNorthEast()], by));
    for (const group of [this.lines, this.moments, this.marks, this.chosen]) {
      group.eachLayer((layer) => layer.setLatLngs ? layer.setLatLngs(shifted(layer.getLatLngs(), by))
        : layer.setLatLng(shifted([layer.getLatLng()], by)[0]));
    }
  }

  /** Shows where a device is. */
  show(device) {
    const known = this.vehicles.get(device.name);
    if (known) return known.move(device);
    const vehicle = new Vehicle(this.map, device);
    this.vehicles.set(device.name, vehicle);
    vehicle.show(this.isLive && !this.hides(device.name));
  }

  /** Shows where a device is that was heard, but not recorded since. */
  stand(name, time, fix) {
    const vehicle = this.vehicles.get(name);
    if (vehicle && vehicle.seen < time) vehicle.stand({ ...fix, time });
  }

  /** Begins the trail of a device with the corners of its way so far. */
  startTrail(device, corners) {
    this.show(device);
    this.vehicles.get(device.name).start(corners);
  }

  addRejection({ place: [longitude, latitude], reason, time }, text, layer) {
    if (Math.abs(latitude) > 90) return;
    L.circleMarker([onMap(latitude), near(longitude, this.map.getCenter().lng)], {
      radius: 3, color: "#7f8c86", weight: 1, fillColor: "#7f8c86", fillOpacity: 0.6,
    }).bindTooltip(() => document.createTextNode(`not recorded: ${words(reason)}, ${text(time)}`)).addTo(layer)
      .bringToBack();  // the path is what is looked for
  }

  /** Shows fixes of the past that were not recorded, instead of those before. */
  showRejected(fixes, text) {
    this.rejected.clearLayers();
    for (const fix of fixes) this.addRejection(fix, text, this.rejected);
  }

  /** Shows a fix that was not recorded, in grey, with the reason beside the pointer; the newest two hundred stay. */
  showRejection(fix) {
    this.addRejection(fix, clock, this.rejections);
    const all = this.rejections.getLayers();
    if (all.length > 200) this.rejections.removeLayer(all[0]);
  }

  /** Shows or hides what happens now: beside a chosen day it would be taken for a part of it. */
  showLive(isShown) {
    this.isLive = isShown;
    if (isShown) this.rejections.addTo(this.map); else this.rejections.remove();
    this.update();
  }

  /** Hides those devices for whose names a function says so. */
  hide(hides) {
    this.hides = hides;
    this.update();
  }

  update() {
    for (const [name, vehicle] of this.vehicles) vehicle.show(this.isLive && !this.hides(name));
  }

  /** Moves the map so that all devices that are shown, or one, are seen. */
  fit(name) {
    const places = [...this.vehicles].filter(([other]) => name ? other === name : !this.hides(other))
      .map(([, vehicle]) => vehicle.marker.getLatLng());
    if (places.length > 0) this.map.fitBounds(L.latLngBounds(together(places)), { maxZoom: 16, padding: [40, 40] });
  }

  /** Moves the map to areas, each from its south-west to its north-east; `false` where they do not say which way round. */
  fitAreas(areas) {
    if (areas.some(([[west], [east]]) => west > east || east - west > 180)) return false;
    const bounds = L.latLngBounds([]);
    for (const [[west, south], [east, north]] of areas) {
      const begin = bounds.isValid() ? near(west, bounds.getWest()) : west;
      bounds.extend([onMap(south), begin]).extend([onMap(north), begin + east - west]);
    }
    this.fitTo(bounds);
    return true;
  }

  /** Moves the map to the paths that are drawn. */
  fitPaths() { if (this.drawn.isValid()) this.fitTo(this.drawn); }

  fitTo(bounds) { this.map.fitBounds(bounds, { maxZoom: 17, padding: [30, 30], animate: false }); }

  /** Calls a function when another zoom is shown. */
  onZoom(act) { this.map.on("zoomend", act); }

  get zoom() { return this.map.getZoom(); }

  /** Metres on the ground that half a pixel shows at a latitude. */
  halfPixel(latitude, zoom) { return 156_543.03 * Math.cos(onMap(latitude) * Math.PI / 180) / 2 ** zoom / 2; }

  /** Metres on the ground that half a pixel shows in the middle of the map. */
  get tolerance() { return this.halfPixel(this.map.getCenter().lat, this.zoom); }

  /** Longitude and latitude of a pixel of the world at a zoom. */
  place(x, y, zoom) {
    const { lat, lng } = L.CRS.EPSG3857.pointToLatLng(L.point(x, y), zoom);
    return [lng, lat];
  }

  clearPaths() {
    this.lines.clearLayers();
    for (const group of [this.moments, this.marks, this.chosen]) group.clearLayers();
    this.drawn = L.latLngBounds([]);
    this.turn = 0;
    delete this.element.dataset.drawn;
  }

  /** Draws paths whose pieces are coloured by a function of a corner. */
  drawPath(lines, colour) {
    for (const line of lines) {
      let piece = [];
      let last = null;
      const finish = () => {
        if (piece.length > 1) this.drawLines(piece, last);
      };
      for (let index = 1; index < line.length; index += 1) {
        const next = colour(line[index]);
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

  /** Draws many short lines in one colour. */
  drawPlain(lines, colour) {
    if (lines.length > 0) this.drawLines(lines.map((line) => line.map(([longitude, latitude]) => [latitude, longitude])), colour);
  }

  drawLines(places, colour) {
    const line = L.polyline(places, { color: colour, weight: 4, interactive: false, smoothFactor: 0 }).addTo(this.lines);
    this.drawn.extend(line.getBounds());
  }

  /** After the last line is drawn: says what is, as its western, southern, eastern and northern end. */
  finishPaths() {
    if (this.drawn.isValid()) this.element.dataset.drawn = this.drawn.toBBoxString();
    this.turnPaths(this.map.getCenter().lng);
  }

  /** Shows a place beside the paths: a circle of metres around a dot, with a text beside the pointer. */
  addMark(place, { radius, colour, text }) {
    const style = { color: colour, weight: 1, fillColor: colour };
    L.circle(place, { ...style, radius, fillOpacity: 0.15, interactive: false }).addTo(this.marks);
    // A text node, because a place may have any name.
    L.circleMarker(place, { ...style, radius: 6, color: "#ffffff", weight: 2, fillOpacity: 1 })
      .bindTooltip(() => document.createTextNode(text)).addTo(this.marks);
    this.drawn.extend(place);
  }

  /** Shows a part of the paths with its ends, and moves the map to it. */
  highlight(lines, colour, ends = [], radius = 0) {
    this.chosen.clearLayers();
    const bounds = L.latLngBounds([]);
    for (const line of lines) {
      for (const style of [{ color: "#111715", weight: 9, opacity: 0.55 }, { color: colour, weight: 5 }]) {
        bounds.extend(L.polyline(line, { ...style, interactive: false, smoothFactor: 0 }).addTo(this.chosen).getBounds());
      }
    }
    for (const [latitude, longitude] of ends) {
      const place = [latitude, longitude + this.turn];
      L.circleMarker(place, { radius: 9, color: "#111715", weight: 3, fillColor: colour, fillOpacity: 1, interactive: false })
        .addTo(this.chosen);
      bounds.extend(L.latLng(place).toBounds(Math.max(2 * radius, 100)));
    }
    if (bounds.isValid()) this.fitTo(bounds);
    this.element.dataset.chosen = lines.length + ends.length;
  }

  /** Shows places on paths, each in a colour. */
  showMoments(places) {
    this.moments.clearLayers();
    for (const [[latitude, longitude], colour] of places) {
      L.circleMarker([latitude, longitude + this.turn], {
        radius: 8, color: "#ffffff", weight: 2, fillColor: colour, fillOpacity: 1, interactive: false,
      }).addTo(this.moments);
    }
  }
}
