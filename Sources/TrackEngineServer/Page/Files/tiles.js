// Maps of tiles under the tracks: one of our own server, and one of a tile server, which is asked only when the user wants it.

import { signed } from "./session.js";
import { keep, recall } from "./storage.js";

const element = (id) => document.getElementById(id);

/** A text as Leaflet wants an attribution, which it takes for markup. */
const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A layer of tiles; farther out than its smallest zoom it asks for none. */
function layer(map, template, { attribution, minimumZoom, maximumZoom, bounds }, zIndex) {
  const [west, south, east, north] = bounds ?? [];
  const made = L.tileLayer(template, {
    attribution: escaped(attribution ?? ""), zIndex, minZoom: minimumZoom ?? 0, maxZoom: map.getMaxZoom(),
    maxNativeZoom: maximumZoom, bounds: bounds ? [[south, west], [north, east]] : undefined,
  });
  const create = made.createTile;
  // Tile servers such as OpenStreetMap's refuse who names no page. They get its host and port, and nothing of its path.
  made.createTile = (place, done) => Object.assign(create.call(made, place, done), { referrerPolicy: "origin" });
  return made;
}

/** The map of our own server, unless it was switched off. */
function addOwn(map, own) {
  const tiles = layer(map, signed("/tiles/{z}/{x}/{y}"), own, 1);
  const box = element("own-map");
  const show = () => { if (box.checked) tiles.addTo(map); else tiles.remove(); };
  box.checked = recall("own-map", true);
  box.addEventListener("change", () => {
    keep("own-map", box.checked);
    show();
  });
  box.parentElement.hidden = false;
  box.parentElement.append(`Local map: ${own.name}`);
  show();
}

/** The map of a tile server, whose host is asked for nothing before the user says so. */
function addStreets(map, streets) {
  const { host } = streets;
  const tiles = layer(map, streets.template, streets, 2);
  const [button, leaves, problem] = ["load-streets", "what-leaves", "no-tiles"].map(element);
  const hosts = () => recall("streets", []);
  let hasTile;
  const show = (isShown) => {
    hasTile = false;
    problem.textContent = "";
    if (isShown) tiles.addTo(map); else tiles.remove();
    button.textContent = isShown ? "Stop loading streets" : `Load streets from ${host}`;
    leaves.hidden = isShown;
  };
  tiles.on("tileload", () => {
    hasTile = true;
    problem.textContent = "";
  });
  // After the last tile of the view, whether it came or not.
  tiles.on("load", () => { if (!hasTile) problem.textContent = `No tile came from ${host}.`; });
  button.addEventListener("click", () => {
    const isWanted = !map.hasLayer(tiles);
    keep("streets", [...hosts().filter((other) => other !== host), ...isWanted ? [host] : []]);
    show(isWanted);
  });
  button.parentElement.hidden = false;
  show(hosts().includes(host));
}

/** Adds the maps that the server has, with what switches them. */
export async function addTiles(map) {
  const reply = await fetch(signed("/api/ground")).catch(() => null);
  const ground = reply?.ok ? await reply.json().catch(() => null) : null;
  if (!ground?.map && !ground?.tiles) return;
  const control = L.control({ position: "topright" });
  const box = element("ground");
  L.DomEvent.disableClickPropagation(box).disableScrollPropagation(box);
  control.onAdd = () => box;
  control.addTo(map);
  box.hidden = false;
  if (ground.map) addOwn(map, ground.map);
  if (ground.tiles) addStreets(map, ground.tiles);
}
