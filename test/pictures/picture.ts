/** Compares a picture with the stored one, point by point, or stores it in its place. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from 'fast-png';
import pixelmatch from 'pixelmatch';
import { inFewColours, pictureIn } from './few-colours.ts';

export const storedFolder = fileURLToPath(new URL('stored/', import.meta.url));
export const reportsFolder = fileURLToPath(new URL('../../reports/pictures/', import.meta.url));

/** How much one point may differ, from 0 to 1, and how many points may differ by more. */
const threshold = 0.02;
const mostPoints = 20;

interface Taken {
  name: string;
  png: Buffer;
  /** Whether to store this picture if it differs from the stored one. */
  isAccepted: boolean;
}

/** Says how the picture differs from the stored one; null if it does not. */
export function compare({ name, png, isAccepted }: Taken): string | null {
  const small = inFewColours(png);
  const file = `${storedFolder}${name}.png`;
  const difference = existsSync(file) ? differenceFrom(readFileSync(file), small, name) : 'is new';
  if (difference) write(isAccepted ? file : `${reportsFolder}${name}.png`, small);
  return difference && `${name} ${difference}`;
}

function differenceFrom(stored: Buffer, taken: Buffer, name: string): string | null {
  const [then, now] = [pictureIn(stored), pictureIn(taken)];
  const { width, height } = now;
  if (width !== then.width || height !== then.height) {
    return `is ${width} × ${height} and was ${then.width} × ${then.height}`;
  }
  const shown = new Uint8Array(width * height * 4);
  const points = pixelmatch(then.points, now.points, shown, width, height, { threshold });
  if (points <= mostPoints) return null;
  write(`${reportsFolder}${name}.difference.png`, encode({ width, height, data: shown }));
  return `differs in ${points} points`;
}

function write(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
