import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

const assetOf = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
const script = assetOf('look-flaws.js');

/** An expression whose value says where a click would meet a link that is elsewhere: see the file. */
export const strayLinks = assetOf('stray-links.js').replace(/;\s*$/, '');

/**
 * Waits until every style sheet of the page has come or failed: a heading can be seen before. Not until the page has
 * loaded, because one that leads on by itself never does.
 */
export async function waitForStyleSheets(page: Page): Promise<void> {
  await eventually(() => page.evaluate(sheetsOnTheirWay), []);
}

const sheetsOnTheirWay = `[...document.querySelectorAll('link[rel="stylesheet"]')]
  .filter(({ sheet, href }) => !sheet && performance.getEntriesByName(href).length === 0)
  .map(({ href }) => href)`;

export interface Look {
  colorScheme: 'light' | 'dark';
  /** Of the two looks at a page. */
  isFirst: boolean;
}

/** What of the page cannot look as it was meant to: see `assets/look-flaws.js`, and where a click goes astray. */
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

/** Looks at the page in the scheme in which it is shown, once its colours have settled. */
export async function inShownScheme(page: Page, findIn: (look: Look) => Promise<string[]>): Promise<string[]> {
  const [colorScheme] = await schemesOf(page);
  await showIn(page, colorScheme);
  return findIn({ colorScheme, isFirst: true });
}

/**
 * Looks at the page in the scheme in which it is shown, and then in the other. At each change the browser computes all
 * styles again and draws the page for as long as colours pass into each other, so what is looked for in one scheme is
 * looked for together.
 */
export async function inBothSchemes(page: Page, findIn: (look: Look) => Promise<string[]>): Promise<string[]> {
  const [, second] = await schemesOf(page);
  const found = await inShownScheme(page, findIn);
  await showIn(page, second);
  return [...found, ...(await findIn({ colorScheme: second, isFirst: false }))];
}

/** Looks at the page in the dark alone, for a test of which another has looked at it in light. */
export async function inDark(page: Page, findIn: (look: Look) => Promise<string[]>): Promise<string[]> {
  await showIn(page, 'dark');
  return findIn({ colorScheme: 'dark', isFirst: false });
}

/** The scheme in which the page is shown, and the other. */
async function schemesOf(page: Page): Promise<readonly ['light' | 'dark', 'light' | 'dark']> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`);
  return isDark ? ['dark', 'light'] : ['light', 'dark'];
}

/** The dashboard's components follow the system's scheme by a script, a moment after its style sheets do. */
async function showIn(page: Page, colorScheme: Look['colorScheme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  if ((await page.locator('html[data-mantine-color-scheme]').count()) > 0) {
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  }
  await page.evaluate(coloursSettled);
}

/**
 * Colours that change within a fraction of a second are looked at when they have; what turns for ever is not waited
 * for.
 */
const coloursSettled = `(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
})()`;
