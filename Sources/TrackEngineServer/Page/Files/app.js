// Joins the parts of the page.

import { Areas } from "./areas.js";
import { Corrections } from "./corrections.js";
import { DayView } from "./day.js";
import { units } from "./format.js";
import { HistoryView } from "./history.js";
import { LiveView } from "./live.js";
import { TrackMap } from "./map.js";
import { NoMap } from "./nomap.js";

const map = new (typeof L === "undefined" ? NoMap : TrackMap)(document.getElementById("map"));
const live = new LiveView(map);
const history = new HistoryView(map);
const corrections = new Corrections(map);
const day = new DayView(map, corrections);
const areas = new Areas(map);
live.onOpen = () => { history.retry(); day.retry(); };
live.onEvent = (event) => day.take(event);
// Another page has changed them, or this one.
live.onChange = async ({ what }) => {
  if (what === "places") return areas.load();
  if (day.isShown) await day.load({ isQuiet: true });
};
const names = ["live", "history", "day"];
const views = { history, day };
const tabs = names.map((name) => document.getElementById(`tab-${name}`));

const show = (name) => {
  for (const tab of tabs) {
    const isShown = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", isShown);
    tab.tabIndex = isShown ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isShown;
  }
  for (const [other, view] of Object.entries(views)) if (other !== name) view.hide();
  views[name]?.show(live.devices);
  map.showLive(name === "live");
  window.history.replaceState(null, "", `#${name}`);
};

tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const other = tabs[(index + step + tabs.length) % tabs.length];
    other.focus();
    other.click();
  });
});

const chosen = document.getElementById("units");
chosen.value = units.current;
chosen.addEventListener("change", () => {
  units.choose(chosen.value);
  live.refresh();
  areas.write();
  for (const [name, view] of Object.entries(views)) if (!document.getElementById(name).hidden) view.refresh();
});

await Promise.all([live.start(), corrections.load(), areas.load()]);
history.allowDeleting(areas.mayDelete);
const wanted = location.hash.slice(1);
if (wanted in views) show(wanted);
