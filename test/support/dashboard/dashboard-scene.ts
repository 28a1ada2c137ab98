/** The steps of a scene of the dashboard over the mock: the answers of the mock, and what the user clicks and types. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { findMockDashboard } from '../shared-fixtures.ts';
import { type ChangedAnswer, headerOfChanges } from './changed-answers.ts';

/** The address of the server, without `/dashboard`. */
export interface ScenePlace {
  url: string;
}

/** Finds the dashboard over the mock. All files of a run share it, and the first file that needs it starts it. */
export function mockForFile(): () => ScenePlace {
  let url: string;
  test.before(async () => {
    url = await findMockDashboard();
  });
  return () => ({ url });
}

/** The path of a page that does not exist, so the dashboard requests nothing for it. */
export const missingPage = '/test/nowhere';

/**
 * Opens the page at this path, and waits until its records are shown. If the dashboard is open already, this navigates
 * without a load, which takes a fifth of the time. It loads the page again if the page may have cached an answer that a
 * scene has changed.
 */
export async function open(page: Page, { url }: ScenePlace, path: string): Promise<void> {
  await page.context().addCookies([{ name: 'tillhook_session', value: 'any', url }]);
  if (page.url().startsWith(`${url}/dashboard/`) && !answers.has(page) && path !== missingPage) await goTo(page, path);
  else await page.goto(`${url}/dashboard${path}`);
  if (answers.get(page) === 'changed before') answers.delete(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitUntilLoaded(page);
}

/** Navigates through the missing page, because a dialog would stay open if the path stayed the same. */
async function goTo(page: Page, path: string): Promise<void> {
  const leave = page.getByRole('heading', { level: 1, name: 'There is no such page' });
  // The search dialog belongs to every page, so it would stay open.
  await page.keyboard.press('Escape');
  await page.evaluate(pathChange(missingPage));
  await leave.waitFor();
  await page.evaluate(pathChange(path));
  await leave.waitFor({ state: 'detached' });
}

/** A script that changes the path as the Back and Forward buttons of a browser do. */
const pathChange = (path: string) =>
  `history.pushState(null, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`;

/**
 * The browser pages whose answers the current scene has changed, and those whose answers the previous scene had
 * changed.
 */
const answers = new WeakMap<Page, 'changed' | 'changed before'>();

/** Ends the scene: from now on the page gets the usual answers again. */
export async function endScene(page: Page): Promise<void> {
  // Requests may still be in flight, and the browser no longer waits for their answers.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (!answers.has(page)) return;
  answers.set(page, 'changed before');
  changesOf.delete(page);
  await page.setExtraHTTPHeaders({});
}

interface Looking {
  mock: ScenePlace;
  scenes: Record<string, (page: Page, place: ScenePlace) => Promise<unknown>>;
  /** Returns the flaws of the part of the page that the selector matches. */
  look: (page: Page, within: string, name: string) => Promise<string[]>;
}

/**
 * Returns the flaws of the pages that the scenes show, by scene. All scenes use one browser page, because opening a
 * page takes longer than checking one. If a dialog is open, only the dialog is checked, because its page has a scene
 * too.
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
      // The next scene, or the next test, may use the same page.
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

/** Clicks the button with this name, in the dialog if one is open. */
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
 * Changes the mock's answers to GET requests. The keys are the ends of addresses. A number replaces the status, an
 * object replaces fields of the body.
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
 * Makes the mock answer with examples of the contract. The keys are the ends of addresses, the values are names of
 * examples. An operation without the example gives its usual answer.
 */
export async function preferExamples(page: Page, examples: Record<string, string>): Promise<void> {
  await addChanges(
    page,
    Object.entries(examples).map(([path, example]) => ({ address: addressOf(path), method: 'GET', example })),
  );
}

/** Answers 500 to every call except the one that reads the session. */
export async function failAllCalls(page: Page): Promise<void> {
  await addChanges(page, [{ address: '(?!.*/session).*', status: 500 }]);
}

const addressOf = (path: string) => path.replaceAll('*', '[^?]+');

/** The answers that the current scene of a page changes. */
const changesOf = new WeakMap<Page, ChangedAnswer[]>();

/** Later changes take precedence. */
async function addChanges(page: Page, changes: ChangedAnswer[]): Promise<void> {
  if (changes.length === 0) return;
  answers.set(page, 'changed');
  changesOf.set(page, [...changes, ...(changesOf.get(page) ?? [])]);
  await page.setExtraHTTPHeaders(headerOfChanges(changesOf.get(page) ?? []));
}
