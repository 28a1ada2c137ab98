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
 * Only the process of `npm test` unpacks the headless shell from npm: concurrent test files would overwrite each
 * other's files. A full browser needs three times as long for a page as a headless shell.
 */
export async function findChromium(): Promise<string> {
  const chosen = process.env.CHROMIUM_PATH || (existsSync(headlessShell) && headlessShell);
  if (chosen) return chosen;
  if (process.platform === 'linux' && process.arch === 'x64') {
    const packed = await import('@sparticuz/chromium');
    return packed.default.executablePath();
  }
  const browser = browsers.find((place) => existsSync(place));
  if (!browser) throw new Error('Found no Chromium for the page tests: set CHROMIUM_PATH to its path.');
  return browser;
}
