// Places on a map that is cut open at 180° and ends before the poles.

/** The latitude at which a Mercator map is a square. */
const highest = 85.05;

/** The nearest latitude that the map has. */
export const onMap = (latitude) => Math.min(Math.max(latitude, -highest), highest);

/** The same meridian, in that turn of the world in which it is nearest to another one. */
export const near = (longitude, other) => longitude + 360 * Math.round((other - longitude) / 360);

/** Lets lines of `[longitude, latitude, …]` go on across 180°, each beginning near the end of the one before. */
export function unwrap(lines, beginning) {
  let last = beginning;
  return lines.map((line) => line.map(([longitude, latitude, ...rest]) => {
    last = last === undefined ? longitude : near(longitude, last);
    return [last, onMap(latitude), ...rest];
  }));
}

/** Places of Leaflet, turned so that together they are as narrow as they can be. */
export function together(places) {
  const sorted = places.map(({ lat, lng }) => [lat, near(lng, 0)]).sort((one, other) => one[1] - other[1]);
  if (sorted.length < 2) return sorted;
  // They begin after the widest gap.
  let [begin, widest] = [0, sorted[0][1] + 360 - sorted.at(-1)[1]];
  for (let index = 1; index < sorted.length; index += 1) {
    const gap = sorted[index][1] - sorted[index - 1][1];
    if (gap > widest) [begin, widest] = [index, gap];
  }
  return sorted.map(([latitude, longitude], index) => [latitude, index < begin ? longitude + 360 : longitude]);
}
