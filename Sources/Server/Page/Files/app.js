// Joins the parts of the page.

import { units } from "./format.js";
import { HistoryView } from "./history.js";
import { LiveView } from "./live.js";
import { TrackMap } from "./map.js";
import { NoMap } from "./nomap.js";

const map = new (typeof L === "undefined" ? NoMap : TrackMap)(document.getElementById("map"));
const live = new LiveView(map);
const history = new HistoryView(map);
live.onOpen = () => history.retry();
const tabs = ["live", "history"].map((name) => document.getElementById(`tab-${name}`));

const show = (name) => {
  for (const tab of tabs) {
    const isShown = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", isShown);
    tab.tabIndex = isShown ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isShown;
  }
  if (name === "history") history.show(live.devices); else history.hide();
  map.showLive(name === "live");
  window.history.replaceState(null, "", `#${name}`);
};

tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs[1 - index];
    other.focus();
    other.click();
  });
});

const chosen = document.getElementById("units");
chosen.value = units.current;
chosen.addEventListener("change", () => {
  units.choose(chosen.value);
  live.refresh();
  if (!document.getElementById("history").hidden) history.refresh();
});

await live.start();
if (location.hash === "#history") show("history");
