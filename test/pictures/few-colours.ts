/** A small palette of colours makes the file four times smaller, and the difference is not visible. */
import { convertIndexedToRgb, decode, encode } from 'fast-png';

export interface Picture {
  width: number;
  height: number;
  points: Uint8Array;
}

const maxColours = 40;
/** This many colours are chosen by frequency alone. The rest must also differ from the colours already chosen. */
const commonestColours = 28;

/** Equal images result in equal bytes. */
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

export function pictureIn(png: Buffer): Picture {
  const decoded = decode(png);
  const { width, height } = decoded;
  const colours = convertIndexedToRgb(decoded);
  const points = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) points.set(colours.subarray(at * 3, at * 3 + 3), at * 4);
  return { width, height, points };
}

/** If several colours fit equally badly, the first one is added, so that every run returns the same palette. */
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

function nearest(palette: number[], colour: number): number {
  const distances = palette.map((other) => distance(other, colour));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other = 0): number {
  const parts = partsOf(other);
  return partsOf(one).reduce((sum, part, at) => sum + (part - (parts[at] ?? 0)) ** 2, 0);
}

const colourAt = (data: ArrayLike<number>, at: number) =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];
