import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { flawsIn, inBothSchemes, inDark, inShownScheme, type Look } from './look.ts';

/** The script is read and not imported: it runs in pages, and to run it in this process too would take time. */
const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const allRules: RunOptions = { runOnly: { type: 'tag', values: tags } };
const contrastAlone: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/**
 * Returns the violations of WCAG 2.2 AA on the page as it is shown. If a dialog is open, only the dialog is checked,
 * because the page has a scene.
 */
export async function barriersOn(page: Page): Promise<string[]> {
  const within = (await page.getByRole('dialog').count()) > 0 ? '[role="dialog"]' : 'html';
  return inShownScheme(page, (look) => barriersIn(page, within, look));
}

/** Returns what `flawsOn` and `barriersOn` find. `flawsOn` runs second, because it starts colour transitions. */
export function flawsAndBarriersOn(page: Page, within = 'html'): Promise<string[]> {
  return inShownScheme(page, (look) => flawsAndBarriersIn(page, within, look));
}

/**
 * Checks the page in light and dark mode. In the other colour scheme only the colours differ, so only the contrast is
 * checked there.
 */
export function flawsAndBarriersInBothSchemes(page: Page, within = 'html'): Promise<string[]> {
  return inBothSchemes(page, (look) => flawsAndBarriersIn(page, within, look));
}

/** Checks what `flawsAndBarriersOn` leaves out, in dark mode, when another test has called it in light mode. */
export function flawsAndBarriersInDark(page: Page, within = 'html'): Promise<string[]> {
  return inDark(page, (look) => flawsAndBarriersIn(page, within, look));
}

async function flawsAndBarriersIn(page: Page, within: string, look: Look): Promise<string[]> {
  return [...(await barriersIn(page, within, look)), ...(await flawsIn(page, look))];
}

async function barriersIn(page: Page, within: string, { colorScheme, isFirst }: Look): Promise<string[]> {
  // The script has half a megabyte, and is loaded once for each page.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(script);
  const violations = await violationsOn(page, within, isFirst ? allRules : contrastAlone);
  return violations.map(({ id, nodes }) => `${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/**
 * A page keeps the rules at thousands of places. The page neither describes these places nor sends them to this
 * process.
 */
function violationsOn(page: Page, within: string, rules: RunOptions): Promise<Result[]> {
  const context = JSON.stringify({ include: [within] });
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] } satisfies RunOptions);
  return page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) => violations)`);
}
