import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { flawsIn, inBothSchemes, inDark, inShownScheme, type Look } from './look.ts';

/** The script of axe runs in pages. It is not imported, because an import would also run it in this process. */
const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const allRules: RunOptions = { runOnly: { type: 'tag', values: tags } };
const contrastAlone: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/** If a dialog is open, only the dialog is checked, because another scene checks the page behind the dialog. */
export async function barriersOn(page: Page): Promise<string[]> {
  const within = (await page.getByRole('dialog').count()) > 0 ? '[role="dialog"]' : 'html';
  return inShownScheme(page, (look) => barriersIn(page, within, look));
}

/** Checks the contrast before `flawsOn`, because `flawsOn` starts colour transitions. */
export function flawsAndBarriersOn(page: Page, within = 'html'): Promise<string[]> {
  return inShownScheme(page, (look) => flawsAndBarriersIn(page, within, look));
}

/** Light mode and dark mode differ only in colours, so the second mode is checked only for contrast. */
export function flawsAndBarriersInBothSchemes(page: Page, within = 'html'): Promise<string[]> {
  return inBothSchemes(page, (look) => flawsAndBarriersIn(page, within, look));
}

/** Checks only the contrast, because another test checks the page in light mode with `flawsAndBarriersOn`. */
export function flawsAndBarriersInDark(page: Page, within = 'html'): Promise<string[]> {
  return inDark(page, (look) => flawsAndBarriersIn(page, within, look));
}

async function flawsAndBarriersIn(page: Page, within: string, look: Look): Promise<string[]> {
  return [...(await barriersIn(page, within, look)), ...(await flawsIn(page, look))];
}

async function barriersIn(page: Page, within: string, { colorScheme, isFirst }: Look): Promise<string[]> {
  // The script of axe is half a megabyte large, so each page loads it only once.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(script);
  const violations = await violationsOn(page, within, isFirst ? allRules : contrastAlone);
  return violations.map(({ id, nodes }) => `${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Elements without a violation are not sent to this process, because a typical page has thousands of them. */
function violationsOn(page: Page, within: string, rules: RunOptions): Promise<Result[]> {
  const context = JSON.stringify({ include: [within] });
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] } satisfies RunOptions);
  return page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) => violations)`);
}
