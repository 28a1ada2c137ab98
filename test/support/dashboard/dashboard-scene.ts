/** A scene changes the mock's responses, and clicks and types on the dashboard as a user does. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { findMockDashboard } from '../shared-fixtures.ts';
import { type ChangedAnswer, headerOfChanges } from './changed-answers.ts';

export interface ScenePlace {
  url: string;
}

/** All test files of a run share this dashboard, which starts when the first file needs it. */
export function mockForFile(): () => ScenePlace {
  let url: string;
  test.before(async () => {
    url = await findMockDashboard();
  });
  return () => ({ url });
}

/** The dashboard requests nothing from the service for a path that does not exist. */
export const missingPage = '/test/nowhere';

/**
 * If the dashboard is already open, the function only navigates, which takes a fifth of the time of a load. It loads
 * the page again if the page may have cached a response that a scene has changed.
 */
export async function open(page: Page, { url }: ScenePlace, path: string): Promise<void> {
  await page.context().addCookies([{ name: 'tillhook_session', value: 'any', url }]);
  if (page.url().startsWith(`${url}/dashboard/`) && !answers.has(page) && path !== missingPage) await goTo(page, path);
  else await page.goto(`${url}/dashboard${path}`);
  if (answers.get(page) === 'changed before') answers.delete(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitUntilLoaded(page);
}

async function goTo(page: Page, path: string): Promise<void> {
  const leave = page.getByRole('heading', { level: 1, name: 'Page not found' });
  // Escape closes the search dialog, which belongs to every page and would stay open after the navigation.
  await page.keyboard.press('Escape');
  await page.evaluate(pathChange(missingPage));
  await leave.waitFor();
  await page.evaluate(pathChange(path));
  await leave.waitFor({ state: 'detached' });
}

const pathChange = (path: string) =>
  `history.pushState(null, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`;

const answers = new WeakMap<Page, 'changed' | 'changed before'>();

export async function endScene(page: Page): Promise<void> {
  // Some requests may still be in flight, but their responses are no longer needed.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (!answers.has(page)) return;
  answers.set(page, 'changed before');
  changesOf.delete(page);
  await page.setExtraHTTPHeaders({});
}

interface Looking {
  mock: ScenePlace;
  scenes: Record<string, (page: Page, place: ScenePlace) => Promise<unknown>>;
  look: (page: Page, within: string, name: string) => Promise<string[]>;
}

/** All scenes use the same browser page, because opening a page takes longer than checking it. */
export async function flawsOfScenes(page: Page, { mock, scenes, look }: Looking): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, show] of Object.entries(scenes)) {
    try {
      await show(page, mock);
      const isDialog = (await page.getByRole('dialog').count()) > 0;
      const wrong = await look(page, isDialog ? '[role="dialog"]' : 'html', name);
      if (wrong.length > 0) found[name] = wrong;
    } finally {
      await endScene(page);
    }
  }
  return found;
}

export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

export async function waitForHeading(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

export async function click(page: Page, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  const place = (await dialog.count()) > 0 ? dialog : page;
  await place.getByRole('button', { name, exact: true }).first().click();
}

export async function typeInto(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByRole('dialog').getByLabel(label).first().fill(text);
}

type Change = number | Record<string, unknown>;

/** Each key is the end of a URL path. A number replaces the status code, and an object replaces fields of the body. */
export async function changeAnswers(page: Page, changes: Record<string, Change>): Promise<void> {
  await addChanges(
    page,
    Object.entries(changes).map(([path, change]) => {
      const wish = typeof change === 'number' ? { status: change } : { fields: change };
      return { address: addressOf(path), method: 'GET' as const, ...wish };
    }),
  );
}

/** Each key is the end of a URL path, and each value is the name of an example in the contract. */
export async function preferExamples(page: Page, examples: Record<string, string>): Promise<void> {
  await addChanges(
    page,
    Object.entries(examples).map(([path, example]) => ({ address: addressOf(path), method: 'GET', example })),
  );
}

export async function failAllCalls(page: Page): Promise<void> {
  await addChanges(page, [{ address: '(?!.*/session).*', status: 500 }]);
}

const addressOf = (path: string) => path.replaceAll('*', '[^?]+');

const changesOf = new WeakMap<Page, ChangedAnswer[]>();

/** A later change takes precedence over earlier changes. */
async function addChanges(page: Page, changes: ChangedAnswer[]): Promise<void> {
  if (changes.length === 0) return;
  answers.set(page, 'changed');
  changesOf.set(page, [...changes, ...(changesOf.get(page) ?? [])]);
  await page.setExtraHTTPHeaders(headerOfChanges(changesOf.get(page) ?? []));
}
