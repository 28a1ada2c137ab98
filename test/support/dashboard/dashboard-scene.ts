/** How a scene of the dashboard over the mock is set: which answers it gets, and what is clicked and typed. */
import type { Page, Route } from 'playwright-core';

/** Where the dashboard is, without `/dashboard`. */
export interface ScenePlace {
  url: string;
}

/** A page of the dashboard that reads nothing. */
export const missingPage = '/test/nowhere';

/**
 * Opens the page at this path, and waits until what it reads is there. A dashboard that is open already goes there by itself, which
 * takes a fifth of the time of loading it, unless it may have kept an answer that a scene has changed.
 */
export async function open(page: Page, { url }: ScenePlace, path: string): Promise<void> {
  await page.context().addCookies([{ name: 'tillhook_session', value: 'any', url }]);
  if (page.url().startsWith(`${url}/dashboard/`) && !answers.has(page) && path !== missingPage) await goTo(page, path);
  else await page.goto(`${url}/dashboard${path}`);
  if (answers.get(page) === 'changed before') answers.delete(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitUntilLoaded(page);
}

/** By way of a page without anything, so that a dialog over the page of the same path is gone. */
async function goTo(page: Page, path: string): Promise<void> {
  const leave = page.getByRole('heading', { level: 1, name: 'There is no such page' });
  // The search belongs to every page, so it would stay.
  await page.keyboard.press('Escape');
  await page.evaluate(pathChange(missingPage));
  await leave.waitFor();
  await page.evaluate(pathChange(path));
  await leave.waitFor({ state: 'detached' });
}

/** As the buttons of the browser do it. */
const pathChange = (path: string) =>
  `history.pushState(null, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`;

/** Pages whose scene changes answers, and those whose scene before did. */
const answers = new WeakMap<Page, 'changed' | 'changed before'>();

/** Makes the page ready for another scene: it gets the usual answers again. */
export async function endScene(page: Page): Promise<void> {
  await page.unrouteAll();
  if (answers.has(page)) answers.set(page, 'changed before');
}

/** Nothing on the page says that it is still on its way. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

export async function waitForHeading(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** The button of this name, of the dialog where one is open. */
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

/** Answers of the mock as a scene needs them, by the end of their address: a status, or fields in the place of the mock’s. */
export async function changeAnswers(page: Page, changes: Record<string, Change>): Promise<void> {
  for (const [path, change] of Object.entries(changes)) {
    answers.set(page, 'changed');
    await page.route(addressOf(path), async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      return typeof change === 'number' ? ask(route, `code=${change}`) : changeFields(route, change);
    });
  }
}

/** Answers by the name of their example, by the end of their address. */
export async function preferExamples(page: Page, examples: Record<string, string>): Promise<void> {
  answers.set(page, 'changed');
  for (const [path, example] of Object.entries(examples).reverse()) {
    await page.route(addressOf(path), (route) => askUnlessRefused(route, `example=${example}`));
  }
}

/** All but who is signed in. */
export async function failAllCalls(page: Page): Promise<void> {
  answers.set(page, 'changed');
  await page.route(addressOf('*'), (route) => {
    return route.request().url().includes('/session') ? route.fallback() : ask(route, 'code=500');
  });
}

const addressOf = (path: string) => new RegExp(`/api/v1/${path.replaceAll('*', '[^?]+')}(\\?|$)`);

const ask = (route: Route, wish: string) => route.continue({ headers: { ...route.request().headers(), prefer: wish } });

async function askUnlessRefused(route: Route, wish: string): Promise<void> {
  const response = await route.fetch({ headers: { ...route.request().headers(), prefer: wish } });
  await (response.ok() ? route.fulfill({ response }) : route.fallback());
}

async function changeFields(route: Route, change: Record<string, unknown>): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, json: merged(await response.json(), change) });
}

function merged(value: unknown, change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change;
  const whole = (value ?? {}) as Record<string, unknown>;
  return {
    ...whole,
    ...Object.fromEntries(Object.entries(change).map(([name, part]) => [name, merged(whole[name], part)])),
  };
}
