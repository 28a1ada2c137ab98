/**
 * Makes a page look the same in every run and on every machine. Text is drawn in Roboto and Roboto Mono, which come from npm and
 * not from the system; the clock of the page stands; and what is made anew in each run (ids, secrets, times, ports) is
 * replaced in the text that is shown.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { waitForStyleSheets } from '../support/browser/look.ts';

const families = ['@fontsource/roboto', '@fontsource/roboto-mono'];
/** The package of Roboto has no 600, for which a browser takes 700. */
const weights = [400, 500, 700];

const script = readFileSync(new URL('assets/replace-made.js', import.meta.url), 'utf8');

/** The day of the mock's examples, for pages over it. They need their timers: the clock stands once they are there. */
export async function startClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-11-21T10:25:00Z') });
}

/** Late enough that the page has it, however long it took. What waits for a moment is run. */
export async function stopStartedClock(page: Page): Promise<void> {
  await page.clock.pauseAt(new Date('2026-11-21T10:27:00Z'));
}

/** Before the page is opened, because from then on its timers do not run. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-01-15T10:00:00Z') });
  await page.clock.pauseAt(new Date('2026-01-15T10:00:01Z'));
}

/** Once the page shows what it is to show. */
export async function settle(page: Page): Promise<void> {
  await waitForStyleSheets(page);
  await page.addStyleTag({ content: style });
  await page.evaluate(script);
  await page.evaluate(lettersAreThere);
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

/** The upright faces of a family, each with its file in it: a page may load none from elsewhere. */
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
