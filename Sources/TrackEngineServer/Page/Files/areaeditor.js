// Adding and changing a named place, by mouse and by keys.

import { ask } from "./ask.js";

const element = (id) => document.getElementById(id);

/** Pixels that an arrow key moves a handle; with shift more. */
const [step, farStep] = [4, 24];
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A new id, of chance. */
function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `place-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Rings and lines of a geometry, each a list of positions that handles stand for; a ring's last position is its first. */
function lists({ type, coordinates }) {
  if (type === "LineString") return [coordinates];
  if (type === "MultiLineString" || type === "Polygon") return coordinates;
  return type === "MultiPolygon" ? coordinates.flat() : [];
}

/** A longitude as GeoJSON wants it. */
const wrapped = (longitude) => ((longitude + 180) % 360 + 360) % 360 - 180;

export class AreaEditor {
  constructor(areas) {
    this.areas = areas;
    [this.form, this.name, this.size, this.hint, this.problem, this.remove, this.middle] =
      ["area-form", "area-name", "area-size", "area-hint", "area-problem", "remove-area", "area-middle"].map(element);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save();
    });
    this.form.addEventListener("keydown", (event) => { if (event.key === "Escape") this.end(); });
    element("cancel-area").addEventListener("click", () => this.end());
    this.middle.addEventListener("click", () => this.place(areas.leaflet.getCenter()));
    this.remove.addEventListener("click", () => this.delete());
    this.remove.addEventListener("blur", () => this.disarm());
    this.name.addEventListener("input", () => { this.draft.properties.name = this.name.value; this.draw(); });
    this.size.addEventListener("input", () => this.resize());
    if (areas.leaflet) {
      this.layer = L.layerGroup().addTo(areas.leaflet);
      areas.leaflet.on("zoomend", () => { if (this.draft) this.draw(); });
    }
  }

  /** Waits for the place of a new one: a click on the map, or its middle. */
  begin() {
    const { leaflet } = this.areas;
    if (!leaflet) return;
    this.end();
    this.open("Click on the map where the place is.");
    this.middle.hidden = false;
    for (const part of [this.name, this.size]) part.closest("label").hidden = true;
    element("save-area").hidden = this.remove.hidden = true;
    leaflet.getContainer().classList.add("adding");
    this.waiting = ({ latlng }) => this.place(latlng);
    leaflet.once("click", this.waiting);
    this.middle.focus();
  }

  place({ lat, lng }) {
    this.stopWaiting();
    this.edit({
      type: "Feature", id: newID(), geometry: { type: "Point", coordinates: [wrapped(lng), lat] },
      properties: { name: "", radius: 100 },
    });
    this.areas.zoomTo(this.draft);
    this.draw();
  }

  /** Begins to change one that is there. */
  change(feature) {
    this.end();
    this.original = feature;
    this.edit(structuredClone(feature));
    this.remove.hidden = false;
    this.areas.draw();
  }

  edit(draft) {
    this.draft = draft;
    const isCircle = draft.geometry.type === "Point";
    const sizeName = isCircle ? "radius" : draft.geometry.type.endsWith("LineString") ? "width" : null;
    this.sizeName = sizeName;
    this.open(isCircle ? "Drag the middle to move it, the handle on the edge to resize it. Arrow keys move a handle, too."
      : "Drag the corners. Arrow keys move a corner, too.");
    for (const part of [this.name, this.size]) part.closest("label").hidden = false;
    this.size.closest("label").hidden = sizeName === null;
    this.size.closest("label").firstChild.textContent = isCircle ? "Radius in metres " : "Width in metres ";
    this.name.value = draft.properties.name ?? "";
    this.size.value = sizeName ? draft.properties[sizeName] ?? "" : 1;
    element("save-area").hidden = false;
    this.remove.hidden = this.middle.hidden = true;
    this.draw();
    this.name.focus();
  }

  open(hint) {
    this.form.hidden = false;
    this.hint.textContent = hint;
    this.problem.hidden = true;
    this.disarm();
  }

  stopWaiting() {
    const { leaflet } = this.areas;
    leaflet?.getContainer().classList.remove("adding");
    if (this.waiting) leaflet.off("click", this.waiting);
    this.waiting = null;
  }

  /** Ends without a change. */
  end() {
    this.stopWaiting();
    this.layer?.clearLayers();
    this.form.hidden = true;
    this.draft = this.original = null;
    this.areas.draw();
  }

  resize() {
    const value = Number(this.size.value);
    if (!this.size.validity.valid || !(value > 0)) return;
    this.draft.properties[this.sizeName] = value;
    this.draw();
  }

  // MARK: On the map

  draw() {
    const { leaflet } = this.areas;
    if (!leaflet) return;
    const focused = this.handles?.findIndex((handle) => handle.getElement() === document.activeElement) ?? -1;
    this.layer.clearLayers();
    this.handles = [];
    this.shape = this.areas.addTo(this.layer, this.draft, true);
    if (this.draft.geometry.type === "Point") this.addCircleHandles(); else this.addCornerHandles();
    if (focused >= 0) this.handles[focused]?.getElement()?.focus();
  }

  addCircleHandles() {
    const middle = this.shape.getLatLng();
    this.addHandle(middle, "Middle of the place", ({ lat, lng }) => {
      this.draft.geometry.coordinates = [wrapped(lng), lat];
    });
    const edge = [middle.lat, this.shape.getBounds().getEast()];
    this.addHandle(edge, "Edge of the place", (place) => {
      this.draft.properties.radius = Math.max(1, Math.round(this.areas.leaflet.distance(this.shape.getLatLng(), place)));
      this.size.value = this.draft.properties.radius;
    });
  }

  addCornerHandles() {
    const isRing = this.draft.geometry.type.endsWith("Polygon");
    for (const list of lists(this.draft.geometry)) {
      const corners = isRing ? list.slice(0, -1) : list;
      corners.forEach(([longitude, latitude], index) => {
        const near = longitude + 360 * Math.round((this.areas.leaflet.getCenter().lng - longitude) / 360);
        this.addHandle([latitude, near], `Corner ${index + 1}`, ({ lat, lng }) => {
          list[index] = [wrapped(lng), lat];
          if (isRing && index === 0) list[list.length - 1] = list[0];
        });
      });
    }
  }

  /** A handle that can be dragged and moved by arrow keys. */
  addHandle(place, label, move) {
    const { leaflet } = this.areas;
    const handle = L.marker(place, {
      icon: L.divIcon({ className: "handle", iconSize: [18, 18] }), draggable: true, keyboard: true, autoPan: true, title: label,
    });
    // While it is dragged it is not drawn again: it would slip out of the hand.
    handle.on("drag", () => {
      move(handle.getLatLng());
      this.redrawShape();
    });
    handle.on("dragend", () => this.draw());
    handle.addTo(this.layer);
    const drawn = handle.getElement();
    drawn.setAttribute("role", "button");
    drawn.setAttribute("aria-label", `${label}; arrow keys move it`);
    drawn.addEventListener("keydown", (event) => {
      if (event.key === "Escape") return this.end();
      const direction = arrows[event.key];
      if (!direction) return;
      event.preventDefault();
      event.stopPropagation();
      const pixels = event.shiftKey ? farStep : step;
      const point = leaflet.latLngToContainerPoint(handle.getLatLng()).add(direction.map((part) => part * pixels));
      move(leaflet.containerPointToLatLng(point));
      this.draw();
    });
    this.handles.push(handle);
  }

  redrawShape() {
    this.shape.remove();
    this.shape = this.areas.addTo(this.layer, this.draft, true);
  }

  // MARK: To the server

  async save() {
    const { draft } = this;
    if (!draft) return;
    draft.properties.name = this.name.value.trim();
    await this.tell({ method: "POST", body: draft });
  }

  /** Deletes it when it is asked for twice. */
  async delete() {
    if (!this.remove.classList.contains("armed")) {
      this.remove.classList.add("armed");
      this.remove.textContent = "Delete for good";
      return;
    }
    await this.tell({ method: "DELETE" }, { id: this.original.id });
  }

  disarm() {
    this.remove.classList.remove("armed");
    this.remove.textContent = "Delete …";
  }

  async tell(request, parameters = {}) {
    try {
      await ask("/api/places", parameters, request);
      this.end();
      await this.areas.load();
      element("add-area").focus();
    } catch (error) {
      this.problem.textContent = `Not changed: ${error.message}`;
      this.problem.hidden = false;
    }
  }
}
