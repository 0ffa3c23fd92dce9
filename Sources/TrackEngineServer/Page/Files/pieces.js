// Where a drawn path ends and begins anew.

/** A line of the server ends after ten minutes without a point; times are whole seconds. */
const usualGap = 599;

/** Metres between two corners; exact enough over the length of a piece of a path. */
export function metres(one, other) {
  const degree = 111_195;
  const width = Math.cos((one[1] + other[1]) / 2 * Math.PI / 180);
  return Math.hypot((other[0] - one[0]) * width * degree, (other[1] - one[1]) * degree);
}

/** Whether corners of a simplified path are too few to find where it breaks: a straight road has but two. */
export const needsAllPoints = ({ gap, farthest }) => Boolean(farthest || (gap && gap <= usualGap));

/**
 * Joins lines, breaks them where the time between two corners exceeds `gap` seconds or they are more than `farthest` metres
 * apart, and leaves out pieces shorter than `shortest` metres. What is `null` does nothing.
 */
export function pieces(lines, { gap, farthest, shortest }) {
  const longest = gap ?? usualGap;
  const found = [];
  let last = null;
  for (const line of lines) {
    line.forEach((corner, index) => {
      const wait = last ? corner[2] - last[2] : Infinity;
      if (index === 0 && wait <= 0) return;  // the line before went on to here
      // Within a line no gap is as long as the usual one, however far apart its corners are.
      const isLate = (index === 0 || longest < usualGap) && wait > longest;
      if (isLate || (last && farthest && metres(last, corner) > farthest)) found.push([]);
      found.at(-1).push(corner);
      last = corner;
    });
  }
  return found.filter((piece) => piece.length > 1 && (!shortest || length(piece) >= shortest));
}

function length(piece) {
  let sum = 0;
  for (let index = 1; index < piece.length; index += 1) sum += metres(piece[index - 1], piece[index]);
  return sum;
}
