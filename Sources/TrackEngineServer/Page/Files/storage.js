// What this browser remembers. A browser that keeps nothing still shows the page.

/** A value that was kept, or another one where there is none or it cannot be read. */
export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps a value that JSON can say. */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It is forgotten with the page then.
  }
}
