// The state of the agent: its sources, sinks and store.

import { age, count, distance, height, size, speed, until } from "./format.js";
import { sorted, total } from "./rejected.js";
import { signed } from "./session.js";

const seconds = (text) => Date.parse(text) / 1000;
const element = (id) => document.getElementById(id);

/** Shows facts with their names. Elements are reused, so that a hint under the pointer stays. */
function fill(list, facts) {
  while (list.children.length > facts.length) list.lastChild.remove();
  facts.forEach(([name, value, hint], index) => {
    let item = list.children[index];
    if (!item) {
      item = list.appendChild(document.createElement("div"));
      item.append(document.createElement("dt"), document.createElement("dd"));
    }
    item.firstChild.textContent = name;
    item.lastChild.textContent = value;
    item.title = hint ?? "";
  });
}

const listed = (counts) => counts.sort((one, other) => other[1] - one[1])
  .map(([name, value]) => `${name}: ${count(value)}`).join("\n");

export class AgentView {
  /** - `activity`: returns the activity in the newest record of a device. */
  constructor(map, activity) {
    this.map = map;
    this.activity = activity;
    setInterval(() => { if (!document.hidden) this.load(); }, 2000);
    /** Fulfilled after the first request. */
    this.ready = this.load();
  }

  async load() {
    const reply = await fetch(signed("/api/status")).catch(() => null);
    if (!reply?.ok) return;
    this.status = await reply.json();
    this.show();
    this.stand();
  }

  show() {
    const status = this.status;
    element("agent").hidden = !status?.sources;
    if (!status?.sources) return;
    this.showSources(status);
    this.showStore(status.store ?? {});
    element("sinks").tBodies[0].replaceChildren(...status.sinks.flatMap((sink) => this.rows(sink)));
  }

  /** The source with the newest fix. */
  get source() {
    const sources = this.status?.sources ?? [];
    return [...sources].sort((one, other) => (other.lastArrival ?? "").localeCompare(one.lastArrival ?? ""))[0];
  }

  /** Whether the device moves, and what follows if nothing changes. */
  get motion() {
    if (!this.source) return "no source";
    const { moving, standby, next } = this.source, { pause } = this.status;
    if (pause) return pause.until ? `paused, ends ${until(seconds(pause.until))}` : "paused";
    const state = standby ? "standby" : moving ? "moving" : "still";
    const due = seconds(next?.due);
    return due - Date.now() / 1000 >= 1 ? `${state}, ${next.state} ${until(due)}` : state;
  }

  /** Between records, the device is where its newest fix is. */
  stand() {
    const { latest: fix, moving } = this.source ?? {};
    if (!fix || Math.abs(fix.latitude) > 90) return;
    this.map.stand(this.status.device, seconds(fix.time), {
      place: [fix.longitude, fix.latitude], accuracy: fix.accuracy ?? null, course: fix.course ?? null,
      speed: fix.speed ?? null, isMoving: moving,
    });
  }

  showSources({ device, sources }) {
    const source = this.source;
    const fix = source?.latest;
    const satellites = fix?.satellitesUsed === undefined ? "–"
      : fix.satellitesVisible === undefined ? `${fix.satellitesUsed}` : `${fix.satellitesUsed} of ${fix.satellitesVisible}`;
    const { notNeeded, leftOut, rejected } = sorted(Object.entries(source?.rejected ?? {}));
    fill(element("facts"), [
      ["State", this.motion, source?.next?.due],
      ["Activity", this.activity(device)],
      ["Last fix", fix ? age(seconds(fix.time)) : "–", fix?.time],
      ["Speed", speed(fix?.speed)],
      ["Course", fix?.course === undefined ? "–" : `${Math.round(fix.course) % 360}°`],
      ["Altitude", height(fix?.altitude)],
      ["Accuracy", fix?.accuracy === undefined ? "–" : `± ${height(fix.accuracy)}`],
      ["Satellites", satellites, "used of visible"],
      ["Odometer", distance(source?.odometer ?? 0)],
      ["Fixes", count(source?.fixes ?? 0)],
      ["Recorded", count(source?.recorded ?? 0), listed(Object.entries(source?.causes ?? {}))],
      ["Not needed", count(total(notNeeded)), `The recording rule does not need most fixes.\n${listed(notNeeded)}`],
      ...leftOut.map(([reason, many]) => [reason.charAt(0).toUpperCase() + reason.slice(1), count(many)]),
      ["Rejected", count(total(rejected)), listed(rejected)],
      ...sources.map((one) => [`Source ${one.id}`, one.status, one.detail]),
    ]);
  }

  showStore(store) {
    const facts = [];
    if (store.bytes !== undefined) facts.push(["Store", size(store.bytes), store.path], ["Records", count(store.records)]);
    if (store.dropped > 0) facts.push(["Dropped", count(store.dropped), "records that the store had no room for"]);
    if (store.deadLetters > 0) facts.push(["Dead letters", count(store.deadLetters), "records that a sink refused"]);
    fill(element("store"), facts);
    const trouble = [store.failure, store.warning].filter(Boolean).join("; ");
    element("store-problem").textContent = trouble;
    element("store-problem").hidden = trouble === "";
  }

  /** The row of a sink, and a row of details: the last success, the next attempt, and errors. */
  rows(sink) {
    const row = document.createElement("tr");
    for (const text of [sink.id, sink.activity, count(sink.queued), count(sink.delivered)]) row.insertCell().textContent = text;
    const details = document.createElement("tr");
    details.className = "detail";
    const cell = details.insertCell();
    cell.colSpan = 4;
    const facts = [sink.lastSuccess ? `last success ${age(seconds(sink.lastSuccess))}` : "no success yet"];
    if (sink.oldest && sink.queued > 0) facts.push(`oldest waiting: ${age(seconds(sink.oldest))}`);
    if (sink.nextDue) facts.push(`next try ${until(seconds(sink.nextDue))}`);
    if (sink.refused > 0) facts.push(`${count(sink.refused)} refused`);
    cell.textContent = facts.join(" · ");
    for (const text of [sink.failure, sink.refused > 0 ? sink.lastRefusal : null]) {
      if (!text) continue;
      const problem = cell.appendChild(document.createElement("div"));
      problem.className = "problem";
      problem.textContent = text;
    }
    return [row, details];
  }
}
