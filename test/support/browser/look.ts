import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

const script = readFileSync(new URL('assets/look-flaws.js', import.meta.url), 'utf8');

/**
 * Waits until every style sheet of the page has come or failed: a heading can be seen before. Not until the page has loaded,
 * because one that leads on by itself never does.
 */
export async function waitForStyleSheets(page: Page): Promise<void> {
  await eventually(() => page.evaluate(sheetsOnTheirWay), []);
}

const sheetsOnTheirWay = `[...document.querySelectorAll('link[rel="stylesheet"]')]
  .filter(({ sheet, href }) => !sheet && performance.getEntriesByName(href).length === 0)
  .map(({ href }) => href)`;

/** What of the page cannot look as it was meant to, in light and in dark: see `assets/look-flaws.js`. */
export async function flawsOn(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await showIn(page, colorScheme);
    const flaws = await page.evaluate<string[]>(script);
    found.push(...flaws.map((flaw) => `${colorScheme}: ${flaw}`));
  }
  return found;
}

/** The dashboard's components follow the system's scheme by a script, a moment after its style sheets do. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  if ((await page.locator('html[data-mantine-color-scheme]').count()) > 0) {
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  }
  await page.evaluate(coloursSettled);
}

/** Colours that change within a fraction of a second are looked at when they have; what turns for ever is not waited for. */
const coloursSettled = `(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
})()`;
