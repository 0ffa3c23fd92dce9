// The live view: devices as they move.

import { AgentView } from "./agent.js";
import { colourOf } from "./colours.js";
import { age, speed, utc } from "./format.js";

export class LiveView {
  constructor(map) {
    this.map = map;
    this.devices = new Map();
    this.list = document.getElementById("devices");
    this.link = document.getElementById("link");
    this.isFitted = false;
    setInterval(() => this.refresh(), 1000);
    this.agent = new AgentView((name) => this.devices.get(name)?.activity ?? "unknown");
    setInterval(() => { if (!document.hidden) this.loadRejected(); }, 10_000);
  }

  /** Loads all devices and listens for what happens; EventSource connects again by itself. */
  async start() {
    await this.load();
    this.listen();
    setInterval(() => {
      // After an answer that is no stream, EventSource gives up for good.
      if (this.events.readyState === EventSource.CLOSED) this.listen();
    }, 5000);
  }

  listen() {
    const events = new EventSource("/api/live");
    events.addEventListener("open", () => this.load());  // what happened while nobody listened
    for (const kind of ["point", "record"]) {
      events.addEventListener(kind, (event) => this.take(JSON.parse(event.data)));
    }
    events.addEventListener("rejection", (event) => this.map.showRejection(JSON.parse(event.data)));
    this.events = events;
  }

  async load() {
    try {
      const reply = await fetch("/api/devices");
      if (!reply.ok) throw new Error(`the server answered ${reply.status}`);
      for (const device of await reply.json()) {
        if (!this.devices.has(device.name)) await this.loadTrail(device);
        this.take(device);
      }
      if (!this.isFitted && this.devices.size > 0) {
        this.isFitted = true;
        this.map.fit();
      }
    } catch {
      // The line above says that there is no connection; EventSource tries again, and then this does.
    }
    this.refresh();
  }

  /** The last hour of a device's way, as far as it goes on to where the device is. */
  async loadTrail(device) {
    const query = new URLSearchParams({ device: device.name, from: device.time - 3600, to: device.time + 1, within: 3 });
    const reply = await fetch(`/api/path?${query}`);
    if (reply.ok) this.map.startTrail(device, (await reply.json()).lines.at(-1) ?? []);
  }

  take(device) {
    const known = this.devices.get(device.name);
    if (known && known.time > device.time) return;
    this.devices.set(device.name, device);
    this.map.show(device);
  }

  /** What senders sent and that is no point: people wonder where their points are. */
  async loadRejected() {
    const reply = await fetch("/api/rejected").catch(() => null);
    if (!reply?.ok) return;
    const { total, newest } = await reply.json();
    const details = document.getElementById("rejected");
    details.hidden = total === 0;
    details.querySelector("summary").textContent = `${total} received that are no points`;
    details.querySelector("ul").replaceChildren(...newest.slice(-20).reverse().map((entry) => {
      const item = document.createElement("li");
      item.textContent = `${entry.sender}: ${entry.reason}`;
      item.title = entry.time;
      return item;
    }));
  }

  /** Ages change by themselves, so the list is drawn each second. */
  refresh() {
    this.agent.show();
    const isOpen = this.events?.readyState === EventSource.OPEN;
    this.wasOpen ||= isOpen;
    this.link.textContent = isOpen ? "live" : this.wasOpen ? "no connection; trying again" : "connecting …";
    this.link.classList.toggle("stale", !isOpen && Boolean(this.wasOpen));
    document.getElementById("no-devices").hidden = this.devices.size > 0;
    const names = [...this.devices.keys()].sort((one, other) => one.localeCompare(other));
    while (this.list.children.length > names.length) this.list.lastChild.remove();
    names.forEach((name, index) => {
      const row = this.list.children[index] ?? this.list.appendChild(this.makeRow());
      this.fill(row, this.devices.get(name));
    });
  }

  makeRow() {
    const row = document.createElement("li");
    const button = row.appendChild(document.createElement("button"));
    for (const name of ["dot", "name", "age", "detail"]) {
      button.appendChild(document.createElement("span")).className = name;
    }
    button.addEventListener("click", () => this.map.fit(row.dataset.name));
    return row;
  }

  fill(row, device) {
    row.dataset.name = device.name;
    const [dot, name, time, detail] = row.firstChild.children;
    dot.style.background = colourOf(device.name);
    name.textContent = device.name;
    time.textContent = age(device.time);
    time.title = utc(device.time);
    const facts = [speed(device.speed)];
    if (device.accuracy !== null) facts.push(`± ${Math.round(device.accuracy)} m`);
    if (device.activity !== "unknown") facts.push(device.activity);
    if (device.battery !== null) facts.push(`battery ${Math.round(device.battery * 100)} %`);
    detail.textContent = facts.join(" · ");
  }
}
