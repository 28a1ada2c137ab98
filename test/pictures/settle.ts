/**
 * Makes a page look the same in every run and on every machine: its fonts come from npm, its clock stands still, and
 * values that differ in every run (ids, secrets, times, ports) are replaced.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { waitForStyleSheets } from '../support/browser/look.ts';

const families = ['@fontsource/roboto', '@fontsource/roboto-mono'];
/** The Roboto package has no weight 600, so the browser uses 700 instead. */
const weights = [400, 500, 700];

const script = readFileSync(new URL('assets/replace-made.js', import.meta.url), 'utf8');

/** This clock keeps running, because the dashboard needs timers while it loads; `stopStartedClock` stops it. */
export async function startClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-11-21T10:25:00Z') });
}

export async function stopStartedClock(page: Page): Promise<void> {
  await page.clock.pauseAt(new Date('2026-11-21T10:27:00Z'));
}

/** Must be called before the page is opened, so that the page never sees another time. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-01-15T10:00:00Z') });
  await page.clock.pauseAt(new Date('2026-01-15T10:00:01Z'));
}

export async function settle(page: Page): Promise<void> {
  await waitForStyleSheets(page);
  await page.addStyleTag({ content: style });
  await replaceMade(page);
  await page.evaluate(lettersAreThere);
}

/** Must be called before each screenshot, because the dashboard may have rendered a part of the page again. */
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

/** The font files are inline, because pages may not load files from other origins. */
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
