import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from 'fast-png';
import pixelmatch from 'pixelmatch';
import { inFewColours, pictureIn } from './few-colours.ts';

export const storedFolder = fileURLToPath(new URL('stored/', import.meta.url));
export const reportsFolder = fileURLToPath(new URL('../../reports/pictures/', import.meta.url));

/** The difference from 0 to 1 that a pixel may have, and the maximum number of pixels that may differ more. */
const threshold = 0.02;
const maxPixels = 20;

interface Taken {
  name: string;
  png: Buffer;
  isAccepted: boolean;
}

export function compareWithStored({ name, png, isAccepted }: Taken): string | null {
  const small = inFewColours(png);
  const file = `${storedFolder}${name}.png`;
  const difference = existsSync(file) ? differenceBetween(readFileSync(file), small, name) : 'is new';
  if (difference) write(isAccepted ? file : `${reportsFolder}${name}.png`, small);
  return difference && `${name} ${difference}`;
}

export function keep(folder: string, name: string, png: Buffer): void {
  write(`${folder}/${name}.png`, inFewColours(png));
}

export function compareFolders(before: string, after: string): string[] {
  const names = [...new Set([before, after].flatMap((folder) => readdirSync(folder)))].sort();
  return names.flatMap((file) => {
    const name = file.replace(/\.png$/, '');
    const [then, now] = [before, after].map((folder) => read(`${folder}/${file}`));
    const difference = then && now ? differenceBetween(then, now, name) : `is ${now ? 'new' : 'gone'}`;
    if (!difference) return [];
    if (then) write(`${reportsFolder}${name}.before.png`, then);
    if (now) write(`${reportsFolder}${name}.after.png`, now);
    return [`${name} ${difference}`];
  });
}

const read = (file: string) => (existsSync(file) ? readFileSync(file) : null);

function differenceBetween(before: Buffer, after: Buffer, name: string): string | null {
  const [then, now] = [pictureIn(before), pictureIn(after)];
  const { width, height } = now;
  if (width !== then.width || height !== then.height) {
    return `is ${width} × ${height} and was ${then.width} × ${then.height}`;
  }
  const shown = new Uint8Array(width * height * 4);
  const points = pixelmatch(then.points, now.points, shown, width, height, { threshold });
  if (points <= maxPixels) return null;
  write(`${reportsFolder}${name}.difference.png`, encode({ width, height, data: shown }));
  return `differs in ${points} points`;
}

function write(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
