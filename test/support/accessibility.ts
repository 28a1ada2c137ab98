import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What is wrong with the page by WCAG 2.2 AA, in light and in dark, which changes colours alone. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axe(page).withTags(tags).analyze();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await axe(page).withRules(['color-contrast']).analyze();
  return Object.entries({ light, dark }).flatMap(([scheme, { violations }]) =>
    violations.map(({ id, nodes }) => `${scheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  );
}

/**
 * The older way of running it takes no second page to put the frames of the first together: ours have none. What stands in the
 * reference is Scalar's.
 */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().exclude('#reference');
}
