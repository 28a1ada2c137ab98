import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { showIn } from './look.ts';

/** Read and not imported: it runs in pages, and to run it here too would take processor time. */
const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What is wrong with the page by WCAG 2.2 AA, in light and in dark, which changes colours alone. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(script);
  await showIn(page, 'light');
  const light = await violationsOn(page, { runOnly: { type: 'tag', values: tags } });
  await showIn(page, 'dark');
  const dark = await violationsOn(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
  return Object.entries({ light, dark }).flatMap(([scheme, violations]) =>
    violations.map(({ id, nodes }) => `${scheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  );
}

/**
 * What stands in the reference is Scalar's. A page has thousands of places where a rule was kept: the page neither describes
 * them nor sends them here.
 */
function violationsOn(page: Page, rules: RunOptions): Promise<Result[]> {
  const context = JSON.stringify({ exclude: ['#reference'] });
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] } satisfies RunOptions);
  return page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) => violations)`);
}
