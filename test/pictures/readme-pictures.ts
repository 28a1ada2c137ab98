/** Only `npm run pictures -- --readme` takes the screenshots of the README. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inFewColours } from './few-colours.ts';

export interface ReadmePicture {
  /** The name of a scene of the checkout or the dashboard, or the path of a page in the documentation. */
  scene: string;
  module: 'checkout' | 'dashboard' | 'docs';
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  /** The folder of the file, if it is not that of the README's pictures. */
  folder?: string;
}

const wide = { width: 1280, height: 800, colorScheme: 'light' } as const;
const narrow = { width: 360, height: 800, colorScheme: 'light' } as const;

const homeAssets = { folder: fileURLToPath(new URL('../../server/src/pages/home/assets/', import.meta.url)) };

export const readmePictures: Record<string, ReadmePicture> = {
  'checkout-narrow': { module: 'checkout', scene: 'the card form', ...narrow },
  'checkout-light': { module: 'checkout', scene: 'the card form', ...wide, ...homeAssets },
  'checkout-dark': { module: 'checkout', scene: 'the card form', ...wide, colorScheme: 'dark', ...homeAssets },
  paid: { module: 'checkout', scene: 'the receipt', ...narrow },
  home: { module: 'dashboard', scene: 'Home', ...wide },
  'failed-delivery': { module: 'dashboard', scene: 'a delivery that failed', ...wide },
  operation: { module: 'docs', scene: '/reference/createCheckout', ...wide },
  dark: { module: 'dashboard', scene: 'Payments', ...wide, colorScheme: 'dark' },
};

export const readmeFolder: string = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

export const maxBytes = 64_000;

export const readmeFile = (name: string): string => `${readmePictures[name]?.folder ?? readmeFolder}${name}.png`;

export function storeForReadme(name: string, png: Buffer): void {
  mkdirSync(readmeFolder, { recursive: true });
  writeFileSync(readmeFile(name), inFewColours(png));
}
