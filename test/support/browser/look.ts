import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

const assetOf = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
const script = assetOf('look-flaws.js');

export const strayLinks = assetOf('stray-links.js').replace(/;\s*$/, '');

/**
 * No other signal is reliable: a heading becomes visible before the style sheets have loaded, and a page that redirects
 * never fires the load event.
 */
export async function waitForStyleSheets(page: Page): Promise<void> {
  await eventually(() => page.evaluate(sheetsOnTheirWay), []);
}

const sheetsOnTheirWay = `[...document.querySelectorAll('link[rel="stylesheet"]')]
  .filter(({ sheet, href }) => !sheet && performance.getEntriesByName(href).length === 0)
  .map(({ href }) => href)`;

export interface Look {
  colorScheme: 'light' | 'dark';
  isFirst: boolean;
}

export function flawsOn(page: Page): Promise<string[]> {
  return inShownScheme(page, (look) => flawsIn(page, look));
}

export function flawsInBothSchemes(page: Page): Promise<string[]> {
  return inBothSchemes(page, (look) => flawsIn(page, look));
}

export function flawsInDark(page: Page): Promise<string[]> {
  return inDark(page, (look) => flawsIn(page, look));
}

export async function flawsIn(page: Page, { colorScheme }: Look): Promise<string[]> {
  const flaws = [...(await page.evaluate<string[]>(script)), ...(await page.evaluate<string[]>(strayLinks))];
  return flaws.map((flaw) => `${colorScheme}: ${flaw}`);
}

export async function inShownScheme(page: Page, findIn: (look: Look) => Promise<string[]>): Promise<string[]> {
  const [colorScheme] = await schemesOf(page);
  await showIn(page, colorScheme);
  return findIn({ colorScheme, isFirst: true });
}

/** Each change of the colour scheme repaints the page, so all checks in one scheme run together. */
export async function inBothSchemes(page: Page, findIn: (look: Look) => Promise<string[]>): Promise<string[]> {
  const [, second] = await schemesOf(page);
  const found = await inShownScheme(page, findIn);
  await showIn(page, second);
  return [...found, ...(await findIn({ colorScheme: second, isFirst: false }))];
}

/** Checks the page only in dark mode, because another test checks it in light mode. */
export async function inDark(page: Page, findIn: (look: Look) => Promise<string[]>): Promise<string[]> {
  await showIn(page, 'dark');
  return findIn({ colorScheme: 'dark', isFirst: false });
}

async function schemesOf(page: Page): Promise<readonly ['light' | 'dark', 'light' | 'dark']> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`);
  return isDark ? ['dark', 'light'] : ['light', 'dark'];
}

/** Scripts apply the system's colour scheme to the dashboard's components a moment after the style sheets apply it. */
async function showIn(page: Page, colorScheme: Look['colorScheme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  if ((await page.locator('html[data-mantine-color-scheme]').count()) > 0) {
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  }
  await page.evaluate(coloursSettled);
}

/** Does not wait for endless animations. */
const coloursSettled = `(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
})()`;
