// How numbers and times are shown.

const locale = navigator.language;

export const units = {
  current: localStorage.getItem("units") ?? "metric",
  choose(name) {
    units.current = name;
    localStorage.setItem("units", name);
  },
};

const number = (value, decimals) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: decimals, minimumFractionDigits: decimals }).format(value);

/** Of large numbers, decimals say nothing. */
const decimals = (value) => value < 10 ? 2 : value < 1000 ? 1 : 0;

/** A distance in metres. */
export function distance(metres) {
  if (units.current === "imperial") {
    const miles = metres / 1609.344;
    return miles < 0.1 ? `${number(metres / 0.3048, 0)} ft` : `${number(miles, decimals(miles))} mi`;
  }
  return metres < 1000 ? `${number(metres, 0)} m` : `${number(metres / 1000, decimals(metres / 1000))} km`;
}

/** The unit of speeds. */
export const speedUnit = () => units.current === "imperial" ? "mph" : "km/h";

/** A speed in metres per second, without its unit; a dash where it is not known. */
export const bareSpeed = (metresPerSecond) =>
  (metresPerSecond ?? null) === null ? "–" : number(metresPerSecond * (units.current === "imperial" ? 2.236936 : 3.6), 0);

/** A speed in metres per second; a dash where it is not known. */
export function speed(metresPerSecond) {
  const bare = bareSpeed(metresPerSecond);
  return bare === "–" ? bare : `${bare} ${speedUnit()}`;
}

/** A height in metres. */
export function height(metres) {
  if (metres === null || metres === undefined) return "–";
  return units.current === "imperial" ? `${number(metres / 0.3048, 0)} ft` : `${number(metres, 0)} m`;
}

/** A span of seconds. */
export function span(seconds) {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${String(Math.floor(seconds % 3600 / 60)).padStart(2, "0")}`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** How long ago a moment was. */
export function age(time) {
  const seconds = Date.now() / 1000 - time;
  return seconds < 5 ? "now" : `${span(seconds)} ago`;
}

/** How long it is until a moment, to the nearest minute. */
export function until(time) {
  const seconds = time - Date.now() / 1000;
  if (seconds < 1) return "now";
  return `in ${span(seconds < 60 ? seconds : Math.round(seconds / 60) * 60)}`;
}

/** A size in bytes. */
export function size(bytes) {
  if (bytes < 1e6) return `${number(bytes / 1e3, 0)} kB`;
  return bytes < 1e9 ? `${number(bytes / 1e6, 1)} MB` : `${number(bytes / 1e9, 2)} GB`;
}

/** A count. */
export const count = (value) => number(value, 0);

/** A day in the viewer's zone. */
export const day = (time) =>
  new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short" }).format(time * 1000);

/** A day with its year. */
export const dayOfYear = (time) => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(time * 1000);

/** A day without its weekday. */
export const shortDay = (time) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(time * 1000);

/** A day, or all days from one to another. */
export const days = (first, last) => first === last ? day(first)
  : new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" })
    .formatRange(first * 1000, last * 1000);

/** A day with a time of day. */
export const dayAndClock = (time) => `${shortDay(time)}, ${clock(time)}`;

/** An axis for distances up to so many metres: its end in metres, and up to four values with their texts. */
export function lengthAxis(most) {
  const [large, small] = units.current === "imperial" ? [[1609.344, "mi"], [0.3048, "ft"]] : [[1000, "km"], [1, "m"]];
  const [unit, name] = most < large[0] ? small : large;
  const wanted = Math.max(most / unit / 3, unit < 1000 ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= wanted);
  const last = Math.max(1, Math.ceil(most / unit / step));
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  const ticks = Array.from({ length: last + 1 }, (_, index) => ({
    value: index * step * unit, text: index === 0 ? "0" : `${number(index * step, decimals)} ${name}`,
  }));
  return { end: last * step * unit, ticks };
}

/** A time of day in the viewer's zone. */
export const clock = (time) =>
  new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(time * 1000);

/** A time of day without its seconds. */
export const minute = (time) =>
  new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(time * 1000);

/** The hour of a time of day. */
export const hour = (time) => new Intl.DateTimeFormat(locale, { hour: "numeric" }).format(time * 1000);

/** A moment in UTC. */
export const utc = (time) => new Date(time * 1000).toISOString().replace(".000Z", "Z");

/** The nearest of eight directions. */
export const direction = (degrees) => ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Math.round(degrees / 45) % 8];
