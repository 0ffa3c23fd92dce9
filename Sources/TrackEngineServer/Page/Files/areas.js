// Named places: on the map and in a list.

import { AreaEditor } from "./areaeditor.js";
import { ask } from "./ask.js";
import { count, height } from "./format.js";
import { near, onMap } from "./places.js";

/** A map shows no more of them at once, and a list neither. */
const [mostDrawn, mostListed] = [500, 200];
/** Farther out, names would cover the map. */
const leastZoomOfNames = 10;

const element = (id) => document.getElementById(id);

/** All positions of a geometry, however deep they lie. */
const positions = (list) => typeof list[0] === "number" ? [list] : list.flatMap(positions);

/** A geometry's numbers with latitude first, near a meridian. */
const turned = (list, meridian) => typeof list[0] === "number"
  ? [onMap(list[1]), near(list[0], meridian)] : list.map((part) => turned(part, meridian));

export class Areas {
  constructor(map) {
    this.map = map;
    this.leaflet = map.map;
    this.features = [];
    [this.box, this.list, this.summary] = ["areas", "area-list", "areas-summary"].map(element);
    this.editor = new AreaEditor(this);
    element("add-area").addEventListener("click", () => this.editor.begin());
    if (!this.leaflet) return;
    this.layer = L.layerGroup().addTo(this.leaflet);
    this.leaflet.on("moveend", () => this.draw());
  }

  /** Loads the places. Without a reply the page shows no places. */
  async load() {
    const answer = await ask("/api/places").catch(() => null);
    this.box.hidden = !answer?.places;
    this.features = (answer?.places?.features ?? []).filter(({ geometry }) => geometry?.coordinates?.length > 0);
    this.mayEdit = answer?.mayEdit === true;
    this.mayDelete = answer?.mayDelete === true;
    element("add-area").hidden = !this.mayEdit;
    this.draw();
    this.write();
  }

  mayChange(feature) { return this.mayEdit && feature.properties?.kept === true; }

  /** How the page calls a place. */
  name(feature) { return feature.properties?.name ?? String(feature.id ?? "place"); }

  // MARK: On the map

  draw() {
    if (!this.leaflet) return;
    this.layer.clearLayers();
    this.leaflet.getContainer().classList.toggle("far", this.leaflet.getZoom() < leastZoomOfNames);
    const view = this.leaflet.getBounds().pad(0.2);
    const meridian = this.leaflet.getCenter().lng;
    let drawn = 0;
    for (const feature of this.features) {
      if (feature === this.editor.original) continue;  // it is drawn as it is being changed
      const places = positions(feature.geometry.coordinates).map((place) => turned(place, meridian));
      if (!view.intersects(L.latLngBounds(places))) continue;
      this.addTo(this.layer, feature);
      drawn += 1;
      if (drawn === mostDrawn) break;
    }
    this.leaflet.getContainer().dataset.areas = drawn;
  }

  /** Draws a place; returns the shape. */
  addTo(layer, feature, isChanging = false) {
    const { type, coordinates } = feature.geometry;
    const places = turned(coordinates, this.leaflet.getCenter().lng);
    const style = { color: "#7e57c2", weight: isChanging ? 3 : 1.5, dashArray: isChanging ? null : "5 4", fillOpacity: 0.1, interactive: false };
    let shape;
    if (type === "Point") shape = L.circle(places, { ...style, radius: feature.properties?.radius ?? 0 });
    else if (type.endsWith("Polygon")) shape = L.polygon(places, style);
    else if (type.endsWith("LineString")) shape = L.polyline(places, { ...style, dashArray: null, opacity: 0.3, weight: this.pixels(feature) });
    if (!shape) return null;
    shape.addTo(layer);
    // A text node, because a place may have any name.
    const text = document.createElement("span");
    text.textContent = this.name(feature);
    shape.bindTooltip(text, { permanent: true, direction: "center", offset: [0, -14], className: "area-name" });
    return shape;
  }

  /** How wide a corridor is on the screen. */
  pixels({ geometry, properties }) {
    const [[, latitude]] = positions(geometry.coordinates);
    return Math.max((properties?.width ?? 0) / (2 * this.map.halfPixel(latitude, this.map.zoom)), 2);
  }

  /** Moves the map to a place. */
  zoomTo(feature) {
    if (!this.leaflet) return;
    const places = turned(positions(feature.geometry.coordinates), this.leaflet.getCenter().lng);
    const bounds = L.latLngBounds(places);
    for (const place of places) {
      bounds.extend(L.latLng(place).toBounds(2 * Math.max(feature.properties?.radius ?? feature.properties?.width ?? 0, 20)));
    }
    this.map.fitTo(bounds);
  }

  // MARK: In the list

  write() {
    const many = this.features.length;
    this.summary.textContent = many === 0 ? "Places" : `Places (${count(many)})`;
    element("no-areas").hidden = many > 0;
    element("no-areas").textContent = this.mayEdit
      ? "No places yet. Add one here, or name them under events.places in the configuration."
      : "No places yet. Name them under events.places in trackd's configuration, or open this page with the link that trackd device link --edit prints.";
    const shown = this.features.slice(0, mostListed);
    this.list.replaceChildren(...shown.map((feature) => this.row(feature)));
    if (many > shown.length) this.list.append(Object.assign(document.createElement("li"), { textContent: `and ${count(many - shown.length)} more` }));
  }

  row(feature) {
    const item = document.createElement("li");
    const button = item.appendChild(document.createElement("button"));
    const name = button.appendChild(document.createElement("span"));
    name.className = "name";
    name.textContent = this.name(feature);
    const detail = button.appendChild(document.createElement("span"));
    detail.className = "detail";
    const { radius, width, tags } = feature.properties ?? {};
    const facts = [radius !== undefined ? `within ${height(radius)}` : width !== undefined ? `corridor of ${height(width)}` : "area"];
    if (Array.isArray(tags) && tags.length > 0) facts.push(tags.join(", "));
    if (this.mayEdit && !this.mayChange(feature)) facts.push("of the configuration");
    detail.textContent = facts.join(" · ");
    button.addEventListener("click", () => this.zoomTo(feature));
    if (this.mayChange(feature)) {
      const change = item.appendChild(Object.assign(document.createElement("button"), { className: "change", textContent: "Change" }));
      change.setAttribute("aria-label", `Change ${this.name(feature)}`);
      change.addEventListener("click", () => { this.zoomTo(feature); this.editor.change(feature); });
    }
    return item;
  }
}
