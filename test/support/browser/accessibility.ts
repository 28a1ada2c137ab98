import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { flawsIn, inBothSchemes, inDark, inShownScheme, type Look } from './look.ts';

/** Read and not imported: it runs in pages, and to run it here too would take processor time. */
const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const allRules: RunOptions = { runOnly: { type: 'tag', values: tags } };
const contrastAlone: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/**
 * What is wrong by WCAG 2.2 AA with the page as it is shown. With an open dialog nothing else is checked: the tests of
 * scenes look at its page.
 */
export async function barriersOn(page: Page): Promise<string[]> {
  const within = (await page.getByRole('dialog').count()) > 0 ? '[role="dialog"]' : 'html';
  return inShownScheme(page, (look) => barriersIn(page, within, look));
}

/** What `flawsOn` and `barriersOn` find. The flaws come second, because to look for them sets colours moving. */
export function flawsAndBarriersOn(page: Page, within = 'html'): Promise<string[]> {
  return inShownScheme(page, (look) => flawsAndBarriersIn(page, within, look));
}

/**
 * The same in light and in dark. All rules are checked in the colour scheme in which the page is shown. In the other
 * scheme only the colours differ, so only the contrast is checked.
 */
export function flawsAndBarriersInBothSchemes(page: Page, within = 'html'): Promise<string[]> {
  return inBothSchemes(page, (look) => flawsAndBarriersIn(page, within, look));
}

/** The second half of this: what is left when another test has called `flawsAndBarriersOn`, in light. */
export function flawsAndBarriersInDark(page: Page, within = 'html'): Promise<string[]> {
  return inDark(page, (look) => flawsAndBarriersIn(page, within, look));
}

async function flawsAndBarriersIn(page: Page, within: string, look: Look): Promise<string[]> {
  return [...(await barriersIn(page, within, look)), ...(await flawsIn(page, look))];
}

async function barriersIn(page: Page, within: string, { colorScheme, isFirst }: Look): Promise<string[]> {
  // It is half a megabyte, and stays with the page.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(script);
  const violations = await violationsOn(page, within, isFirst ? allRules : contrastAlone);
  return violations.map(({ id, nodes }) => `${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** A page has thousands of places where a rule was kept: the page neither describes them nor sends them here. */
function violationsOn(page: Page, within: string, rules: RunOptions): Promise<Result[]> {
  const context = JSON.stringify({ include: [within] });
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] } satisfies RunOptions);
  return page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) => violations)`);
}
