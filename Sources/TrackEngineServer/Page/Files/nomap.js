// In place of the map where Leaflet is missing: lists and tabs work all the same.

const nothing = () => {};

export class NoMap {
  constructor(element) {
    element.textContent = "The map needs Leaflet: apt-get install libjs-leaflet";
    element.classList.add("missing");
    for (const name of [
      "show", "stand", "startTrail", "showRejection", "showRejected", "showLive", "hide", "update", "fit", "fitPaths",
      "onZoom", "clearPaths", "drawPath", "drawPlain", "finishPaths", "showMoments", "addMark", "highlight",
    ]) this[name] = nothing;
    [this.zoom, this.tolerance] = [8, 100];
  }

  fitAreas() { return true; }
  halfPixel() { return this.tolerance; }
  place(x, y) { return [x, y]; }
}
