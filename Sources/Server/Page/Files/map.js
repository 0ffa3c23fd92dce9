// The map: devices, paths, and places on them.

import { addGraticule, addLand } from "./ground.js";
import { Vehicle } from "./vehicle.js";

export class TrackMap {
  constructor(element) {
    this.map = L.map(element, { preferCanvas: true, worldCopyJump: true, zoomControl: true }).setView([30, 10], 2);
    this.map.attributionControl.setPrefix("Leaflet");
    L.control.scale({ imperial: true }).addTo(this.map);
    addLand(this.map);
    this.lines = L.layerGroup().addTo(this.map);
    addGraticule(this.map);
    this.map.on("zoomend", () => this.update());
    this.vehicles = new Map();
    this.isLive = true;
    this.hides = () => false;
    this.rejections = L.layerGroup().addTo(this.map);
    this.moments = L.layerGroup().addTo(this.map);
    // The map's room changes with the window and with what is beside it.
    new ResizeObserver(() => this.map.invalidateSize({ animate: false })).observe(element);
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
    if (vehicle && vehicle.device.time < time) vehicle.stand(fix);
  }

  /** Begins the trail of a device with the corners of its way so far. */
  startTrail(device, corners) {
    this.show(device);
    this.vehicles.get(device.name).start(corners);
  }

  /** Shows a fix that was not recorded, in grey, with the reason beside the pointer; the newest two hundred stay. */
  showRejection(fix) {
    const [longitude, latitude] = fix.place;
    if (Math.abs(latitude) > 90) return;
    L.circleMarker([latitude, longitude], {
      radius: 3, color: "#7f8c86", weight: 1, fillColor: "#7f8c86", fillOpacity: 0.6,
    }).bindTooltip(() => document.createTextNode(`not recorded: ${fix.reason}`)).addTo(this.rejections);
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
    if (places.length > 0) this.map.fitBounds(L.latLngBounds(places), { maxZoom: 16, padding: [40, 40] });
  }

  /** Metres on the ground that half a pixel shows in the middle of the map. */
  get tolerance() {
    const latitude = this.map.getCenter().lat * Math.PI / 180;
    return 156_543.03 * Math.cos(latitude) / 2 ** this.map.getZoom() / 2;
  }

  clearPaths() {
    this.lines.clearLayers();
    this.moments.clearLayers();
  }

  /** Draws paths whose pieces are coloured by a function of a corner. */
  drawPath(lines, colour) {
    for (const line of lines) {
      let piece = [];
      let last = null;
      const finish = () => {
        if (piece.length > 1) L.polyline(piece, { color: last, weight: 4, interactive: false }).addTo(this.lines);
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

  /** Shows places on paths, each in a colour. */
  showMoments(places) {
    this.moments.clearLayers();
    for (const [place, colour] of places) {
      L.circleMarker(place, { radius: 8, color: "#ffffff", weight: 2, fillColor: colour, fillOpacity: 1, interactive: false })
        .addTo(this.moments);
    }
  }
}
