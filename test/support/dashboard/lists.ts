import type { Locator, Page } from 'playwright-core';

/** Opens the editor of a filter: with its chip, or from the menu. A period has a chip also without a value. */
export async function openFilter(page: Page, label: string): Promise<Locator> {
  const chip = page.getByRole('search').getByRole('button', { name: new RegExp(`^${label}(: |$)`) });
  if (await chip.isVisible()) await chip.click();
  else {
    await page.getByRole('search').getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: label, exact: true }).click();
  }
  const editor = page.getByRole('dialog', { name: label });
  await editor.waitFor();
  return editor;
}

/** Filters the list by a text. */
export async function filterBy(page: Page, label: string, typed: string, field = label): Promise<void> {
  const editor = await openFilter(page, label);
  await editor.getByLabel(field).fill(typed);
  await editor.getByRole('button', { name: 'Apply' }).click();
}

/** The chip of a chosen filter, such as `Email: ada@example.com`. */
export function chipOf(page: Page, label: string): Locator {
  return page.getByRole('search').getByRole('button', { name: new RegExp(`^${label}: `) });
}

export async function chooseTab(page: Page, name: string): Promise<void> {
  await tabsOf(page).getByRole('link', { name, exact: true }).click();
}

export async function chosenTab(page: Page): Promise<string | null> {
  return tabsOf(page).locator('[aria-current=page]').textContent();
}

function tabsOf(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Status' });
}
