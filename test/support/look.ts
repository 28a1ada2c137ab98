import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const script = readFileSync(new URL('assets/look-flaws.js', import.meta.url), 'utf8');

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
