/**
 * Reduces an image to a small palette of colours. The file becomes four times smaller, and the difference is not
 * visible.
 */
import { convertIndexedToRgb, decode, encode } from 'fast-png';

export interface Picture {
  width: number;
  height: number;
  /** The red, green, blue and alpha values of each pixel. */
  points: Uint8Array;
}

const maxColours = 40;
/**
 * The number of colours that are in the palette because they are the most frequent. The rest of the palette are
 * colours that differ most from these, such as that of a circle's edge, which has few pixels.
 */
const commonestColours = 28;

/** Returns the image as PNG with a small palette. Equal images result in equal bytes. */
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

/** Decodes a PNG that `inFewColours` has encoded. */
export function pictureIn(png: Buffer): Picture {
  const decoded = decode(png);
  const { width, height } = decoded;
  const colours = convertIndexedToRgb(decoded);
  const points = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) points.set(colours.subarray(at * 3, at * 3 + 3), at * 4);
  return { width, height, points };
}

/**
 * Returns the most frequent colours, and then adds, one by one, the colour that the palette represents worst. The
 * measure is the number of the colour's pixels times the distance to the nearest colour of the palette. Among equally
 * bad colours the first one is added, so that every run returns the same palette.
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

/** Returns the index of the palette's most similar colour. */
function nearest(palette: number[], colour: number): number {
  const distances = palette.map((other) => distance(other, colour));
  return distances.indexOf(Math.min(...distances));
}

/** Returns the square of the distance between two colours. */
function distance(one: number, other = 0): number {
  const parts = partsOf(other);
  return partsOf(one).reduce((sum, part, at) => sum + (part - (parts[at] ?? 0)) ** 2, 0);
}

const colourAt = (data: ArrayLike<number>, at: number) =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];
