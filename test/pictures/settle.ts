/**
 * Makes a page look the same in every run and on every machine. Text is in Roboto and Roboto Mono from npm, and not in
 * fonts of the system. The clock of the page stands still. Values that are new in each run (ids, secrets, times, ports)
 * are replaced in the visible text.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { waitForStyleSheets } from '../support/browser/look.ts';

const families = ['@fontsource/roboto', '@fontsource/roboto-mono'];
/** The package of Roboto has no weight 600, for which a browser uses 700. */
const weights = [400, 500, 700];

const script = readFileSync(new URL('assets/replace-made.js', import.meta.url), 'utf8');

/**
 * Sets the clock to the day of the mock's examples. The clock runs, because the pages of the dashboard need timers
 * until they are loaded.
 */
export async function startClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-11-21T10:25:00Z') });
}

/** Stops the clock at a time after the end of every load, and runs the timers that are due until then. */
export async function stopStartedClock(page: Page): Promise<void> {
  await page.clock.pauseAt(new Date('2026-11-21T10:27:00Z'));
}

/** Stops the clock. Call it before the page is opened, so that the page never sees another time. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-01-15T10:00:00Z') });
  await page.clock.pauseAt(new Date('2026-01-15T10:00:01Z'));
}

/** Called when the page shows everything that the screenshot needs. */
export async function settle(page: Page): Promise<void> {
  await waitForStyleSheets(page);
  await page.addStyleTag({ content: style });
  await replaceMade(page);
  await page.evaluate(lettersAreThere);
}

/** Called before each screenshot too, because the dashboard may have rendered a part again. */
export async function replaceMade(page: Page): Promise<void> {
  await page.evaluate(script);
}

const lettersAreThere = 'Promise.all([...document.fonts].map((face) => face.load())).then((faces) => faces.length)';

const style = `${families.map(faces).join('\n')}
*, ::before, ::after, ::placeholder {
  animation: none !important;
  caret-color: transparent !important;
  transition: none !important;
}
*, ::before, ::after { font-family: Roboto !important; }
:is(pre, code, .verifier :is(textarea, [name="secret"])), :is(pre, code) * {
  font-family: "Roboto Mono" !important;
  font-variant-ligatures: none !important;
}`;

/**
 * The upright faces of a font family, with the font files inline, because the pages may not load files from other
 * origins.
 */
function faces(family: string): string {
  return weights.map((weight) => facesOf(weight, family)).join('');
}

function facesOf(weight: number, family: string): string {
  const sheet = import.meta.resolve(`${family}/${weight}.css`);
  return readFileSync(fileURLToPath(sheet), 'utf8')
    .split(/(?=\/\*)/)
    .filter((face) => /^\/\* roboto(-mono)?-latin(-ext)?-/.test(face))
    .join('')
    .replace(/url\((\.\/files\/[^)]+\.woff2)\) format\('woff2'\), url\([^)]+\) format\('woff'\)/g, (_whole, file) => {
      const font = readFileSync(new URL(file, sheet));
      return `url(data:font/woff2;base64,${font.toString('base64')})`;
    });
}
