// What lies under the tracks.

/** The numbers that a text of the file stands for; the file says how. */
function numbers(text) {
  const found = [];
  let [value, shift] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const group = text.charCodeAt(index) - 63;
    value |= (group & 31) << shift;
    shift += 5;
    if (group >= 32) continue;
    found.push(value & 1 ? ~(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return found;
}

/** Lines of the file, three times, so that they go on across 180°. */
function around(texts) {
  const lines = texts.map((text) => {
    const steps = numbers(text);
    let [x, y] = [0, 0];
    const line = [];
    for (let index = 0; index < steps.length; index += 2) {
      [x, y] = [x + steps[index], y + steps[index + 1]];
      line.push([y / 20, x / 20]);
    }
    return line;
  });
  return [0, -360, 360].flatMap((by) =>
    lines.map((line) => line.map(([latitude, longitude]) => [latitude, longitude + by])));
}

/** Coast lines and borders, without asking anybody but our own server. */
export async function addLand(map) {
  // Below everything else, whenever it comes.
  map.createPane("ground").style.zIndex = 150;
  const reply = await fetch("/page/land.json").catch(() => null);
  if (!reply?.ok) return;
  const { origin, coasts, borders } = await reply.json();
  const renderer = L.canvas({ pane: "ground" });
  const style = { renderer, pane: "ground", interactive: false, weight: 1 };
  const land = L.polygon(around(coasts), { ...style, fillOpacity: 1 });
  const edges = L.polyline(around(borders), style);
  const paint = () => {
    const [color, fillColor] = ["--border", "--land"].map((name) =>
      getComputedStyle(document.documentElement).getPropertyValue(name));
    for (const layer of [land, edges]) layer.setStyle({ color, fillColor });
  };
  for (const layer of [land, edges]) layer.addTo(map);
  paint();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  map.attributionControl.addAttribution(origin.split(",")[0]);
}

/** Parallels and meridians, about six across the map: orientation where there is no ground. */
export function addGraticule(map) {
  const lines = L.layerGroup().addTo(map);
  const steps = [45, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
  const style = { color: "#7f8c86", weight: 1, opacity: 0.35, interactive: false };
  const draw = () => {
    lines.clearLayers();
    const bounds = map.getBounds();
    const wanted = (bounds.getEast() - bounds.getWest()) / 6;
    const step = steps.find((candidate) => candidate <= wanted) ?? steps.at(-1);
    const [south, north] = [Math.max(bounds.getSouth(), -85), Math.min(bounds.getNorth(), 85)];
    for (let longitude = Math.ceil(bounds.getWest() / step) * step; longitude <= bounds.getEast(); longitude += step) {
      L.polyline([[south, longitude], [north, longitude]], style).addTo(lines);
    }
    for (let latitude = Math.ceil(south / step) * step; latitude <= north; latitude += step) {
      L.polyline([[latitude, bounds.getWest()], [latitude, bounds.getEast()]], style).addTo(lines);
    }
  };
  map.on("moveend", draw);
  draw();
}
