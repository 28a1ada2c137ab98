import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { showIn } from './look.ts';

/** Read and not imported: it runs in pages, and to run it here too would take processor time. */
const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What is wrong by WCAG 2.2 AA with the page, or with what a selector names of it, in light and in dark, which changes colours
 * alone.
 */
export async function barriersOn(page: Page, within = 'html'): Promise<string[]> {
  // It is half a megabyte, and stays with the page.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(script);
  await showIn(page, 'light');
  const light = await violationsOn(page, within, { runOnly: { type: 'tag', values: tags } });
  await showIn(page, 'dark');
  const dark = await violationsOn(page, within, { runOnly: { type: 'rule', values: ['color-contrast'] } });
  return Object.entries({ light, dark }).flatMap(([scheme, violations]) =>
    violations.map(({ id, nodes }) => `${scheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  );
}

/**
 * What stands in the reference is Scalar's. A page has thousands of places where a rule was kept: the page neither describes
 * them nor sends them here.
 */
function violationsOn(page: Page, within: string, rules: RunOptions): Promise<Result[]> {
  const context = JSON.stringify({ include: [within], exclude: ['#reference'] });
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] } satisfies RunOptions);
  return page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) => violations)`);
}
