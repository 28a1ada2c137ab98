import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

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
    await page.emulateMedia({ colorScheme });
    const flaws = await page.evaluate<string[]>(script);
    found.push(...flaws.map((flaw) => `${colorScheme}: ${flaw}`));
  }
  return found;
}
