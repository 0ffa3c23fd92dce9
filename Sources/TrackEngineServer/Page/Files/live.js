// The live view: devices and their newest positions.

import { AgentView } from "./agent.js";
import { forgetColours } from "./colours.js";
import { DeviceList } from "./devices.js";
import { signed } from "./session.js";

export class LiveView {
  constructor(map) {
    this.map = map;
    this.devices = new Map();
    this.list = new DeviceList(map);
    this.list.onChange = () => this.refresh();
    this.link = document.getElementById("link");
    this.isFitted = false;
    setInterval(() => this.refresh(), 1000);
    this.agent = new AgentView(map, (name) => this.devices.get(name)?.activity ?? "unknown");
    setInterval(() => { if (!document.hidden) this.loadRejected(); }, 10_000);
    // The list is shown after the parts above it, so that nothing moves.
    const most = new Promise((resolve) => setTimeout(resolve, 2000));
    this.ready = Promise.race([most, Promise.all([this.agent.ready, this.loadRejected()])])
      .then(() => { this.isReady = true; });
  }

  /** Loads all devices and listens for live events; EventSource connects again by itself. */
  async start() {
    await Promise.all([this.ready, this.load()]);
    this.refresh();
    this.loadRejections();
    this.loadSharing();
    this.listen();
    setInterval(() => {
      // After a response that is not a stream, EventSource does not connect again.
      if (this.events.readyState !== EventSource.CLOSED) return;
      this.load();
      this.listen();
    }, 5000);
  }

  listen() {
    const events = new EventSource(signed("/api/live"));
    events.addEventListener("open", () => {
      this.load();  // changes since the last connection
      this.onOpen?.();
    });
    for (const kind of ["point", "record"]) {
      events.addEventListener(kind, (event) => this.take(JSON.parse(event.data)));
    }
    for (const kind of ["visit", "trip", "transition"]) {
      events.addEventListener(kind, (event) => this.onEvent?.(JSON.parse(event.data)));
    }
    events.addEventListener("changed", (event) => this.onChange?.(JSON.parse(event.data)));
    events.addEventListener("rejection", (event) => {
      const fix = JSON.parse(event.data);
      this.map.showRejection(fix);
      // The trail does not need it, but it is the device's newest position.
      if (fix.isPlausible) this.map.stand(fix.name, fix.time, fix);
    });
    this.events = events;
  }

  async load() {
    try {
      const reply = await fetch(signed("/api/devices"));
      this.isLocked = reply.status === 401;
      if (!reply.ok) throw new Error(`the server answered ${reply.status}`);
      const devices = await reply.json();
      forgetColours(new Set(devices.map((device) => device.name)));
      for (const device of devices) {
        if (!this.devices.has(device.name)) await this.loadTrail(device);
        this.take(device);
      }
      if (!this.isFitted && this.devices.size > 0) {
        this.isFitted = true;
        this.map.fit();
      }
    } catch {
      // The page's header shows that there is no connection; the next connection of EventSource loads again.
    }
    this.refresh();
  }

  /** Loads the newest line of the last hour of a device. */
  async loadTrail(device) {
    const query = new URLSearchParams({ device: device.name, from: device.time - 3600, to: device.time + 1, within: 3 });
    const reply = await fetch(signed(`/api/path?${query}`));
    if (reply.ok) this.map.startTrail(device, (await reply.json()).lines.at(-1) ?? []);
  }

  /** Loads the fixes of the last 15 minutes that were not recorded. */
  async loadRejections() {
    const now = Date.now() / 1000;
    const lists = await Promise.all([...this.devices.keys()].map(async (device) => {
      const query = new URLSearchParams({ device, from: now - 900, to: now + 60 });
      const reply = await fetch(signed(`/api/rejections?${query}`)).catch(() => null);
      return reply?.ok ? reply.json() : [];
    }));
    for (const fix of lists.flat().sort((one, other) => one.time - other.time)) this.map.showRejection(fix);
  }

  /** Loads the QR codes of the links to this agent's position. */
  async loadSharing() {
    const reply = await fetch(signed("/api/sharing")).catch(() => null);
    const names = reply?.ok ? await reply.json() : [];
    const details = document.getElementById("sharing");
    details.hidden = names.length === 0;
    details.append(...names.map((name) => {
      const figure = document.createElement("figure");
      const code = figure.appendChild(document.createElement("img"));
      Object.assign(code, { src: signed(`/api/sharing/${name}.svg`), alt: `QR code of the link to ${name}`, loading: "lazy" });
      figure.appendChild(document.createElement("figcaption")).textContent = `${name}: scan the code to see this position`;
      return figure;
    }));
  }

  take(device) {
    const known = this.devices.get(device.name);
    if (known && known.time > device.time) return;
    this.devices.set(device.name, device);
    this.map.show(device);
  }

  /** Lists the received entries that are not points, with the reason. */
  async loadRejected() {
    const reply = await fetch(signed("/api/rejected")).catch(() => null);
    if (!reply?.ok) return;
    const { total, newest } = await reply.json();
    const details = document.getElementById("rejected");
    details.hidden = total === 0;
    details.querySelector("summary").textContent = `${total} received ${total === 1 ? "entry is" : "entries are"} not a point`;
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
    const isStale = !isOpen && Boolean(this.wasOpen || this.isLocked);
    this.link.classList.toggle("stale", isStale);
    const text = isOpen ? "live" : this.isLocked ? "this session has ended; open a new link"
      : isStale ? "no connection; trying again" : "connecting …";
    // Written only when it changes, because a screen reader reads every change.
    if (this.link.textContent !== text) this.link.textContent = text;
    if (this.isReady) this.list.show(this.devices);
  }
}
