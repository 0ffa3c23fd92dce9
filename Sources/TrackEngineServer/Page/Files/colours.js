// Colours of devices, activities and scales.

import { keep, recall } from "./storage.js";

/** Colours that are told apart on light and dark ground, also with most colour blindness (after Okabe and Ito). */
const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7e57c2", "#8d6e63"];

export const activities = ["unknown", "stationary", "walking", "running", "cycling", "driving"];
export const activityColours = ["#7f8c86", "#8d6e63", "#009e73", "#e69f00", "#0072b2", "#d55e00"];

/** Which colour of the palette a device has. Kept, because a colour that was taken depends on who came first. */
const taken = new Map(recall("colours", []));

/** FNV-1a: the same name begins with the same colour in every browser. */
function hash(name) {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/** The colour of a device, the same in every list and on the map; equal colours only where there are more devices. */
export function colourOf(name) {
  if (!taken.has(name)) {
    const first = hash(name) % palette.length;
    const used = new Set(taken.values());
    const free = palette.map((_, step) => (first + step) % palette.length).find((index) => !used.has(index));
    taken.set(name, free ?? first);
    keep("colours", [...taken]);
  }
  return palette[taken.get(name) % palette.length];
}

/** Frees the colours of devices that are no more. */
export function forgetColours(present) {
  for (const name of [...taken.keys()]) if (!present.has(name)) taken.delete(name);
}

/** Blue to red over 0 to 1, without green between, for red-green colour blindness. */
export function scale(part) {
  const stops = [[33, 102, 172], [103, 169, 207], [214, 196, 140], [239, 138, 98], [178, 24, 43]];
  const place = Math.min(Math.max(part, 0), 1) * (stops.length - 1);
  const index = Math.min(Math.floor(place), stops.length - 2);
  // Four steps a stop, so that pieces of a path join.
  const rest = Math.round((place - index) * 4) / 4;
  const mixed = stops[index].map((value, channel) => Math.round(value + (stops[index + 1][channel] - value) * rest));
  return `rgb(${mixed.join(" ")})`;
}
