/**
 * The steps of a scene of the dashboard over the mock: changes to the mock's responses, and what the user clicks and
 * types.
 */
import test from 'ava';
import type { Page } from 'playwright-core';
import { findMockDashboard } from '../shared-fixtures.ts';
import { type ChangedAnswer, headerOfChanges } from './changed-answers.ts';

/** The URL of the server, without `/dashboard`. */
export interface ScenePlace {
  url: string;
}

/**
 * Returns a function that returns the URL of the dashboard over the mock. All test files of a run share this
 * dashboard. It starts when the first file needs it.
 */
export function mockForFile(): () => ScenePlace {
  let url: string;
  test.before(async () => {
    url = await findMockDashboard();
  });
  return () => ({ url });
}

/** The path of a page that does not exist. The dashboard requests nothing from the service for this path. */
export const missingPage = '/test/nowhere';

/**
 * Opens the page at this path, and waits until its records are shown. If the dashboard is already open, the function
 * only navigates, which takes a fifth of the time of a load. It loads the page again if the page may have cached a
 * response that a scene has changed.
 */
export async function open(page: Page, { url }: ScenePlace, path: string): Promise<void> {
  await page.context().addCookies([{ name: 'tillhook_session', value: 'any', url }]);
  if (page.url().startsWith(`${url}/dashboard/`) && !answers.has(page) && path !== missingPage) await goTo(page, path);
  else await page.goto(`${url}/dashboard${path}`);
  if (answers.get(page) === 'changed before') answers.delete(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitUntilLoaded(page);
}

/** Navigates through the page that does not exist, because a dialog would stay open if the path stayed the same. */
async function goTo(page: Page, path: string): Promise<void> {
  const leave = page.getByRole('heading', { level: 1, name: 'There is no such page' });
  // The search dialog belongs to every page, so navigation does not close it.
  await page.keyboard.press('Escape');
  await page.evaluate(pathChange(missingPage));
  await leave.waitFor();
  await page.evaluate(pathChange(path));
  await leave.waitFor({ state: 'detached' });
}

/** Returns a script that changes the path in the same way as the browser's Back and Forward buttons. */
const pathChange = (path: string) =>
  `history.pushState(null, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`;

/** Whether the responses to a browser page are changed by the current scene, or were changed by the previous scene. */
const answers = new WeakMap<Page, 'changed' | 'changed before'>();

/** Ends the scene: from now on the mock returns its usual responses to the page. */
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
  /** Returns the flaws in the part of the page that matches the selector. */
  look: (page: Page, within: string, name: string) => Promise<string[]>;
}

/**
 * Opens each scene and returns the flaws found, by the name of the scene. All scenes use the same browser page,
 * because opening a page takes longer than checking it. If a dialog is open, only the dialog is checked, because
 * another scene checks the page behind the dialog.
 */
export async function flawsOfScenes(page: Page, { mock, scenes, look }: Looking): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, show] of Object.entries(scenes)) {
    try {
      await show(page, mock);
      const isDialog = (await page.getByRole('dialog').count()) > 0;
      const wrong = await look(page, isDialog ? '[role="dialog"]' : 'html', name);
      if (wrong.length > 0) found[name] = wrong;
    } finally {
      // The next scene or test may use the same page.
      await endScene(page);
    }
  }
  return found;
}

/** Waits until no part of the page is marked as busy. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

export async function waitForHeading(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** Clicks the button with this name. If a dialog is open, clicks the button in the dialog. */
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

/**
 * Changes the mock's responses to GET requests. The keys of `changes` are the ends of URL paths. A number replaces
 * the status code, and an object replaces fields of the body.
 */
export async function changeAnswers(page: Page, changes: Record<string, Change>): Promise<void> {
  await addChanges(
    page,
    Object.entries(changes).map(([path, change]) => {
      const wish = typeof change === 'number' ? { status: change } : { fields: change };
      return { address: addressOf(path), method: 'GET' as const, ...wish };
    }),
  );
}

/**
 * Makes the mock answer GET requests with examples of the contract. The keys of `examples` are the ends of URL paths,
 * the values are the names of examples. An operation without the named example returns its usual response.
 */
export async function preferExamples(page: Page, examples: Record<string, string>): Promise<void> {
  await addChanges(
    page,
    Object.entries(examples).map(([path, example]) => ({ address: addressOf(path), method: 'GET', example })),
  );
}

/** Makes the mock answer 500 to every request except the one that reads the session. */
export async function failAllCalls(page: Page): Promise<void> {
  await addChanges(page, [{ address: '(?!.*/session).*', status: 500 }]);
}

const addressOf = (path: string) => path.replaceAll('*', '[^?]+');

/** The responses that the current scene changes, for each browser page. */
const changesOf = new WeakMap<Page, ChangedAnswer[]>();

/** Adds changes for the page. A later change takes precedence over earlier ones. */
async function addChanges(page: Page, changes: ChangedAnswer[]): Promise<void> {
  if (changes.length === 0) return;
  answers.set(page, 'changed');
  changesOf.set(page, [...changes, ...(changesOf.get(page) ?? [])]);
  await page.setExtraHTTPHeaders(headerOfChanges(changesOf.get(page) ?? []));
}
