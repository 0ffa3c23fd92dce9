// What can be put right of a visit or trip, where that is allowed.

import { ask } from "./ask.js";
import { minute } from "./format.js";
import { modes, nameOfMode } from "./modes.js";

const moment = (time) => new Date(time * 1000).toISOString();

/** A button with its work. */
function button(text, act, hint = "") {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: hint });
  made.addEventListener("click", act);
  return made;
}

/** A field with its label. */
function labelled(text, field) {
  const label = document.createElement("label");
  label.append(`${text} `, field);
  return label;
}

export class Corrections {
  /** - `map`: where a visit or trip is split by pointing at it. */
  constructor(map) {
    this.map = map;
    this.mayEdit = false;
  }

  /** Asks whether visits and trips may be corrected, and of which device. */
  async load() {
    const answer = await ask("/api/corrections").catch(() => null);
    this.mayEdit = answer?.mayEdit === true;
    this.device = answer?.device ?? null;
  }

  /** What can be done with an event of a view; `null` where nothing can. */
  tools(event, view) {
    this.endSplit();
    if (!event || !this.mayEdit || view.loaded?.device !== this.device) return null;
    const tools = Object.assign(document.createElement("form"), { className: "tools" });
    tools.setAttribute("aria-label", "Corrections");
    const say = (change) => this.say(event, change, view);
    tools.addEventListener("submit", (submission) => submission.preventDefault());
    tools.append(...event.mode ? this.modeFields(event, say) : this.nameFields(event, tools, say));
    const next = event.isOpen ? null : view.next(event);
    if (next) tools.append(button("Merge with the next", () => say({ merge: next.exactFrom }), `the one from ${minute(next.from)}`));
    if (!event.isOpen) tools.append(button("Split …", () => this.split(event, tools, view)));
    tools.append(button("Reject", () => say({ reject: true }), "Marks it as wrong. It can be restored below."));
    if (event.isCorrected) tools.append(button("Undo", () => say({ undo: true }), "Removes all corrections of it."));
    return tools;
  }

  nameFields(event, form, say) {
    const field = Object.assign(document.createElement("input"), { value: event.place?.name ?? "", maxLength: 100, required: true });
    form.addEventListener("submit", () => say({ rename: field.value.trim() }));
    return [labelled("Name", field), Object.assign(document.createElement("button"), { textContent: "Rename" })];
  }

  modeFields(event, say) {
    const field = document.createElement("select");
    field.append(...modes.map((mode) => new Option(nameOfMode(mode), mode, false, mode === event.mode)));
    field.addEventListener("change", () => say({ mode: field.value }));
    return [labelled("Mode", field)];
  }

  /** Asks where it is to be split: at a time, or where the device was nearest to a place of the map. */
  split(event, tools, view) {
    this.endSplit();
    const field = Object.assign(document.createElement("input"), { type: "range", min: event.from, max: event.to, step: 1 });
    field.value = Math.round((event.from + event.to) / 2);
    const at = button("", () => {
      const time = Number(field.value);
      this.say(event, { split: moment(time), ...view.drawing.pointAt(time, event) }, view);
    });
    const show = () => {
      at.textContent = `Split at ${minute(Number(field.value))}`;
      field.setAttribute("aria-valuetext", minute(Number(field.value)));
    };
    field.addEventListener("input", show);
    show();
    const box = Object.assign(document.createElement("div"), { className: "split" });
    const hint = Object.assign(document.createElement("p"), { textContent: "Move the slider, or click on the map at the point of the split." });
    box.append(hint, labelled("Time", field), at, button("Cancel", () => this.endSplit()));
    tools.append(box);
    const pick = ({ latlng }) => {
      const time = view.drawing.timeAt(latlng, event);
      if (time === null) return;
      field.value = time;
      show();
    };
    this.map.map?.on("click", pick);
    this.splitting = () => {
      this.map.map?.off("click", pick);
      box.remove();
    };
    field.focus();
  }

  endSplit() {
    this.splitting?.();
    this.splitting = null;
  }

  /** Tells the server, and shows the day as it is then. */
  async say(event, change, view) {
    const kind = event.kind ?? (event.mode ? "trip" : "visit");
    const body = { kind, id: event.id, from: event.exactFrom, change };
    if (event.exactTo !== null) body.to = event.exactTo;
    try {
      await ask("/api/corrections", {}, { method: "POST", body });
      await view.load({ isQuiet: true });
    } catch (error) {
      view.fail(error, "Not changed");
    }
  }

  /** What was rejected of a day, each with the way back. */
  rejected(events, view) {
    return events.map((event) => {
      const item = document.createElement("li");
      item.append(`${event.kind === "trip" ? "Trip" : "Stop"}, ${minute(event.from)} – ${minute(event.to)}`);
      if (this.mayEdit) item.append(" ", button("Restore", () => this.say(event, { undo: true }, view)));
      return item;
    });
  }
}
