/** The steps of a scene of the dashboard over the mock: which answers the page gets, and what is clicked and typed. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { findMockDashboard } from '../shared-fixtures.ts';
import { type ChangedAnswer, headerOfChanges } from './changed-answers.ts';

/** The address of the server, without `/dashboard`. */
export interface ScenePlace {
  url: string;
}

/** The dashboard over the mock of the run, which the first file starts that asks for it. */
export function mockForFile(): () => ScenePlace {
  let url: string;
  test.before(async () => {
    url = await findMockDashboard();
  });
  return () => ({ url });
}

/** The path of a page that does not exist, so the dashboard reads nothing for it. */
export const missingPage = '/test/nowhere';

/**
 * Opens the page at this path, and waits until its records are there. If the dashboard is open already, it changes its
 * page without a load, which takes a fifth of the time. It is loaded again where it may have cached an answer that a
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

/** Goes there by way of the missing page, because a dialog would stay open if the path stayed the same. */
async function goTo(page: Page, path: string): Promise<void> {
  const leave = page.getByRole('heading', { level: 1, name: 'There is no such page' });
  // The dialog of the search belongs to every page, so it would stay open.
  await page.keyboard.press('Escape');
  await page.evaluate(pathChange(missingPage));
  await leave.waitFor();
  await page.evaluate(pathChange(path));
  await leave.waitFor({ state: 'detached' });
}

/** A script that changes the path as the Back and Forward buttons of a browser do. */
const pathChange = (path: string) =>
  `history.pushState(null, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`;

/** Browser pages whose current scene changes answers, and those whose last scene did. */
const answers = new WeakMap<Page, 'changed' | 'changed before'>();

/** Ends the scene: from now on the page gets the usual answers again. */
export async function endScene(page: Page): Promise<void> {
  // Requests may be on their way, and the browser no longer waits for their answers.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (!answers.has(page)) return;
  answers.set(page, 'changed before');
  changesOf.delete(page);
  await page.setExtraHTTPHeaders({});
}

interface Looking {
  mock: ScenePlace;
  scenes: Record<string, (page: Page, place: ScenePlace) => Promise<unknown>>;
  /** What is wrong with the part of the page that a selector names, by the name of its scene. */
  look: (page: Page, within: string, name: string) => Promise<string[]>;
}

/**
 * What is wrong with the pages that the scenes show, by scene. All of them use one browser page, because opening one
 * takes longer than a look. Of an open dialog nothing else is looked at, because its page has a scene too.
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
 * Changes the mock's answers to GET, by the end of their address: a number is their status, an object replaces fields
 * of their body.
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
 * Asks the mock for examples by name, by the end of the address. An operation without that example gives its usual
 * answer.
 */
export async function preferExamples(page: Page, examples: Record<string, string>): Promise<void> {
  await addChanges(
    page,
    Object.entries(examples).map(([path, example]) => ({ address: addressOf(path), method: 'GET', example })),
  );
}

/** Answers 500 to every call, except to the one that tells who is signed in. */
export async function failAllCalls(page: Page): Promise<void> {
  await addChanges(page, [{ address: '(?!.*/session).*', status: 500 }]);
}

const addressOf = (path: string) => path.replaceAll('*', '[^?]+');

/** The answers that the current scene of a page changes. */
const changesOf = new WeakMap<Page, ChangedAnswer[]>();

/** What a scene changes last counts first. */
async function addChanges(page: Page, changes: ChangedAnswer[]): Promise<void> {
  if (changes.length === 0) return;
  answers.set(page, 'changed');
  changesOf.set(page, [...changes, ...(changesOf.get(page) ?? [])]);
  await page.setExtraHTTPHeaders(headerOfChanges(changesOf.get(page) ?? []));
}
