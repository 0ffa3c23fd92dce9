// The means of travel, in the words of the server.

/** Colours that are told apart on light and dark ground; what travels in the same way has the same one. */
const colours = {
  walk: "#009e73", run: "#009e73", bicycle: "#0072b2", scooter: "#0072b2", car: "#d55e00", taxi: "#d55e00", bus: "#cc79a7",
  tram: "#cc79a7", metro: "#cc79a7", train: "#7e57c2", monorail: "#7e57c2", plane: "#56b4e9", boat: "#56b4e9",
  gondola: "#8d6e63", sleigh: "#8d6e63",
};

export const modes = Object.keys(colours);

/** What is neither a stop nor a trip. */
export const noMode = "#7f8c86";

/** The colour of stops. */
export const stopColour = "#b08d3c";

export const colourOfMode = (mode) => colours[mode] ?? noMode;

/** A mode as it begins a line. */
export const nameOfMode = (mode) => mode.charAt(0).toUpperCase() + mode.slice(1);
