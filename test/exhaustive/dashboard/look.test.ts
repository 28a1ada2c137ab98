/** Tests every page, state and dialog in light and dark mode, the focus after dialogs, and failing pages. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { flawsAndBarriersInBothSchemes, flawsAndBarriersInDark } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { type ErrorAnswer, openDashboard, refuse } from '../../support/dashboard/dashboard.ts';
import { dashboardDialogs, openers } from '../../support/dashboard/dashboard-dialogs.ts';
import { addressOf, dashboardPages, fillPages, type RecordsOfPages } from '../../support/dashboard/dashboard-pages.ts';
import { flawsOfScenes, mockForFile, open } from '../../support/dashboard/dashboard-scene.ts';
import { dashboardStates, dashboardPages as pageScenes } from '../../support/dashboard/dashboard-scenes.ts';
import { eventually } from '../../support/eventually.ts';
import { serverForFile, type TestMerchant } from '../../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
const mock = mockForFile();

test.serial('in dark mode, no page has style flaws, and every page has enough contrast', async (t) => {
  t.timeout(600_000);
  const page = await openPage(t);

  const look = flawsAndBarriersInDark;
  t.deepEqual(await flawsOfScenes(page, { mock: mock(), scenes: pageScenes, look }), {});
  t.log(`${Object.keys(pageScenes).length} of them`);
});

test.serial(
  'in light and dark mode, pages without records and pages with an error have no style flaws, and meet WCAG 2.2 AA',
  async (t) => {
    t.timeout(600_000);
    const page = await openPage(t);

    const look = flawsAndBarriersInBothSchemes;
    t.deepEqual(await flawsOfScenes(page, { mock: mock(), scenes: dashboardStates, look }), {});
    t.log(`${Object.keys(dashboardStates).length} of them`);
  },
);

test.serial('after Escape from a dialog or menu, the focus is on the button that opened it', async (t) => {
  t.timeout(600_000);
  const page = await openPage(t);

  for (const [path, name] of openers) {
    await open(page, mock(), path);
    const button = page.getByRole('button', { name: name === 'SearchCtrl K' ? 'Search' : name, exact: true }).first();
    for (const time of ['the first time', 'the second time']) {
      await button.press('Enter');
      await eventually(() => page.evaluate<boolean>(isFocusInside), true);
      await page.keyboard.press('Escape');
      await page.locator('[role=dialog], [role=menu]').waitFor({ state: 'detached' });
      await eventually(() => button.evaluate((one) => one === one.ownerDocument.activeElement), true);
      t.log(`${name}, ${time}`);
    }
  }
  // No assertion is needed: if the focus does not return, a wait above fails the test.
  t.pass();
});

test.serial('in light and dark mode, no dialog has style flaws, and every dialog meets WCAG 2.2 AA', async (t) => {
  t.timeout(600_000);

  t.deepEqual((await everyDialog(t)).flaws, {});
  t.log(`${Object.keys(dashboardDialogs).length} of them`);
});

test.serial('after Escape from any dialog, an element of the page has the focus', async (t) => {
  t.timeout(600_000);

  const { focused } = await everyDialog(t);

  // The scene `time has passed` shows no dialog.
  const names = Object.keys(dashboardDialogs).filter((name) => name !== 'time has passed');
  t.deepEqual([...focused.keys()], names);
  t.deepEqual(
    names.filter((name) => focused.get(name) === 'BODY'),
    [],
  );
});

let dialogs: ReturnType<typeof openDialogs> | undefined;

/** Opens each dialog once, and shares the results between the tests of the dialogs' look and of the focus. */
function everyDialog(t: ExecutionContext) {
  dialogs ??= openDialogs(t);
  return dialogs;
}

async function openDialogs(t: ExecutionContext) {
  const focused = new Map<string, string>();
  const look = async (page: Page, within: string, name: string) => {
    const flaws = await flawsAndBarriersInBothSchemes(page, within);
    if ((await page.locator('[role=dialog], [role=menu]').count()) === 0) return flaws;
    await page.keyboard.press('Escape');
    focused.set(name, await page.evaluate<string>(whatHasTheFocus));
    return flaws;
  };
  return { flaws: await flawsOfScenes(await openPage(t), { mock: mock(), scenes: dashboardDialogs, look }), focused };
}

test.serial(
  'when Escape closes a search that was opened by keyboard, no button of a dialog that was closed before gets the focus',
  async (t) => {
    const page = await openPage(t);
    await open(page, mock(), '/test/payments');
    const button = page.getByRole('button', { name: 'Create a checkout link', exact: true }).first();
    const escapeFromDialog = async () => {
      await eventually(() => page.evaluate<boolean>(isFocusInside), true);
      await page.keyboard.press('Escape');
    };

    await button.press('Enter');
    await escapeFromDialog();
    await eventually(() => button.evaluate((one) => one === one.ownerDocument.activeElement), true);
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Control+k');
    await escapeFromDialog();

    const focused = await eventually(
      () => page.evaluate<string>(whatHasTheFocus),
      (tag) => tag !== 'BODY',
    );
    t.is(focused, 'MAIN');
  },
);

const isFocusInside = `document.activeElement.closest('[role=dialog], [role=menu]') !== null`;
/**
 * While a dialog fades out, one of its elements may still have the focus; after that, no element has it for a moment.
 */
const whatHasTheFocus = `(async () => {
  const isOpen = () => document.querySelector('[role=dialog], [role=menu]');
  for (let frame = 0; frame < 30 && isOpen(); frame += 1) await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 300 && document.activeElement === document.body; frame += 1)
    await new Promise(requestAnimationFrame);
  return document.activeElement.tagName;
})()`;

const atOnce = 4;

interface Filled {
  merchant: TestMerchant;
  records: RecordsOfPages;
}

let filled: Promise<Filled> | undefined;

/** The page of a refund only redirects to the page of its payment, so it is no longer shown when a fault ends. */
const lasting = dashboardPages.filter((page) => page !== 'refunds/$reference');

const groups = Array.from({ length: Math.ceil(lasting.length / atOnce) }, (_, index) =>
  lasting.slice(index * atOnce, (index + 1) * atOnce),
);

for (const group of groups) {
  test.serial(
    `errors of the service are shown, and disappear without a reload, on ${group.map((page) => page || 'home').join(', ')}`,
    async (t) => {
      filled ??= fill();
      const { merchant, records } = await filled;
      const first = await openPage(t);
      await openDashboard(first, server(), { merchant, path: '/test', role: 'operator' });
      await Promise.all(group.map(async (path) => walk(t, await first.context().newPage(), addressOf(path, records))));
    },
  );
}

test.serial('a record of another merchant or of the other mode looks like a missing record', async (t) => {
  filled ??= fill();
  const { merchant, records } = await filled;
  const stranger = await server().createMerchant();
  const page = await openPage(t);
  const told = async (address: string) => {
    await page.goto(`${server().url}/dashboard${address}`);
    await alerts(page).getByText('Not found', { exact: true }).waitFor();
    t.is(await page.getByRole('button', { name: /Try again/ }).count(), 0, address);
    const [requestId = ''] = await alerts(page).locator('code').allTextContents();
    return [await page.title(), (await page.getByRole('main').innerText()).replace(requestId, '')].join();
  };
  const details = Object.keys(records);

  await openDashboard(page, server(), { merchant, path: '/live', role: 'viewer' });
  for (const path of details) await told(addressOf(path, records, 'live'));
  await openDashboard(page, server(), { merchant: stranger, path: '/test' });
  for (const path of details) {
    const never = path.includes('$id') ? '00000000-0000-7000-8000-000000000000' : 'order-0000';
    const expected = await told(addressOf(path, { [path]: never }));
    t.is((await told(addressOf(path, records))).replaceAll(String(records[path]), never), expected, path);
    await told(addressOf(path, { [path]: 'nope' }));
  }
});

test.serial(
  'Home and Payments recover after a failure to load the script of the page or of a part of it',
  async (t) => {
    const page = await openFailingPage(t);
    await page.addInitScript(
      "addEventListener('unhandledrejection', ({ reason }) => document.documentElement.setAttribute('data-unhandled', reason))",
    );
    const unhandled = () => page.locator('html').getAttribute('data-unhandled');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/pay-step-*.js', (route) => isReleased.then(() => route.continue()));
    await openDashboard(page, server(), { merchant: await server().createMerchant(), path: '/test' });
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    t.is(await page.getByRole('button', { name: 'Create a checkout' }).count(), 0);
    release();
    await page.getByRole('button', { name: 'Create a checkout' }).waitFor();

    await page.unrouteAll();
    await page.route('**/pay-step-*.js', (route) => route.abort());
    await page.reload();
    await alerts(page).getByText('This page is out of date').waitFor();
    t.is(await unhandled(), null);
    await page.unrouteAll();
    await tryAgain(page);
    await page.getByRole('button', { name: 'Create a checkout' }).waitFor();

    await page.route('**/payments.page-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Payments' }).click();
    await alerts(page).getByText('This page is out of date').waitFor();
    t.is(await unhandled(), null);
    await page.unrouteAll();
    await tryAgain(page);
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  },
);

test.serial(
  'if the dashboard cannot read the session or load a page, it shows a message and recovers without a reload',
  async (t) => {
    filled ??= fill();
    const { merchant } = await filled;
    const page = await openFailingPage(t);
    await openDashboard(page, server(), { merchant, path: '/test' });
    await page.route('**/api/v1/dashboard/session', (route) => route.fulfill({ status: 502, body: 'bad gateway' }));
    await page.goto(`${server().url}/dashboard/test/webhooks`);
    await alerts(page).getByText('A server in front of the service returned 502.').waitFor();
    await page.getByText('The page appears automatically once the service responds again.').waitFor();
    await page.unrouteAll();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();

    await page.route('**', (route) => route.abort());
    await page.getByRole('link', { name: 'Balances' }).click();
    await alerts(page).getByText('The service is unavailable').waitFor();
    // A hidden page does not reload by itself before the button is clicked.
    await page.evaluate("Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })");
    await page.unrouteAll();
    await tryAgain(page);

    await page.getByRole('heading', { level: 1, name: 'Balances' }).waitFor();
    await page.route('**', (route) => route.abort());
    await page.getByRole('button', { name: 'Top up Transfer wallet' }).click();
    const amount = page.getByRole('dialog').getByLabel('Amount');
    await amount.fill('12');
    await page.keyboard.press('Control+k');
    const told = page.getByRole('alert').filter({ hasText: 'Close and stay on the page' });
    await told.getByText('The search could not be loaded.').waitFor();
    await told.getByText('The service is unavailable').waitFor();
    await told.getByRole('button', { name: 'Close and stay on the page' }).click();
    await told.waitFor({ state: 'detached' });
    t.is(await amount.inputValue(), '12');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await told.waitFor();
    await page.unrouteAll();
    await tryAgain(page);
    await told.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Collection wallet' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    t.is(await alerts(page).count(), 0);

    await page.keyboard.press('Escape');
    const { promise: noticeMissed, resolve: missNotice } = Promise.withResolvers<void>();
    await page.route('**/*.js', (route) => route.abort().then(missNotice));
    await page.getByRole('button', { name: 'Add test money' }).click();
    await page.getByRole('dialog').getByLabel('Amount').fill('12');
    await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await noticeMissed;
    await page
      .getByRole('navigation', { name: 'Wallets' })
      .getByRole('link', { name: /Transfer wallet/ })
      .click();
    await page.getByRole('table', { name: 'Transfer wallet' }).getByText('₦12.00').first().waitFor();
  },
);

async function fill(): Promise<Filled> {
  const merchant = await server().createMerchant();
  return { merchant, records: await fillPages(server(), merchant) };
}

async function walk(t: ExecutionContext, page: Page, address: string): Promise<void> {
  const answer = await answersTo(page);
  const says = async (words: string) => {
    await alerts(page).filter({ hasText: words }).first().waitFor();
    await alerts(page).filter({ hasNotText: words }).first().waitFor({ state: 'detached' });
  };

  answer.with({ status: 500, code: 'internal_error', message: 'Something went wrong on our side' });
  await page.goto(`${server().url}/dashboard${address}`);
  await says('Something went wrong');
  t.true(await page.getByRole('button', { name: 'Copy request ID' }).first().isVisible(), address);

  answer.with({ status: 429, code: 'rate_limited', message: 'Too many requests', retryAfter: 2 });
  await tryAgain(page);
  await says('Wait 2 seconds and try again.');
  t.true(
    await page
      .getByRole('button', { name: /Try again in \d s/ })
      .first()
      .isDisabled(),
    address,
  );

  answer.with({ status: 403, code: 'role_not_allowed', message: 'A viewer may not do this' });
  await tryAgain(page);
  await says('Your role does not allow this');

  answer.with('nothing');
  await tryAgain(page);
  await says('The service is unavailable');

  answer.with({ status: 401, code: 'invalid_session', message: 'Session ended' });
  await tryAgain(page);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).waitFor();

  const release = answer.hold();
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await dialog.waitFor({ state: 'detached' });
  await page.locator('main [aria-busy=true]').first().waitFor();
  const before = await placesOn(page);
  release();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
  t.is(await alerts(page).count(), 0, address);
  t.deepEqual(await placesOn(page), before, address);
  await page.close();
}

/** Chromium logs an error for each script that cannot be loaded, and such an error would fail the test. */
async function openFailingPage(t: ExecutionContext): Promise<Page> {
  const context = await (await openPage(t)).context().browser()?.newContext();
  t.teardown(() => context?.close());
  const page = await context?.newPage();
  if (!page) throw new Error('The browser closed during the test.');
  return page;
}

const alerts = (page: Page) => page.getByRole('main').getByRole('alert');

async function tryAgain(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Try again', exact: true });
  await eventually(() => buttons.first().isEnabled(), true);
  await buttons.evaluateAll((all: { click(): void }[]) => {
    for (const button of all) button.click();
  });
}

function placesOn(page: Page): Promise<number[]> {
  return page
    .locator('main :is(h1, search)')
    .evaluateAll((all: { getBoundingClientRect(): { y: number } }[]) =>
      all.map((one) => one.getBoundingClientRect().y),
    );
}

async function answersTo(page: Page) {
  let change: ErrorAnswer | 'nothing' | undefined;
  let held: Promise<void> | undefined;
  await page.route('**/api/v1/**', async (route) => {
    if (new URL(route.request().url()).pathname.endsWith('/dashboard/session')) return route.continue();
    if (change === 'nothing') return route.abort();
    if (!change) {
      await held;
      return route.continue();
    }
    await refuse(route, change);
  });
  return {
    with(next: ErrorAnswer | 'nothing') {
      change = next;
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      change = undefined;
      held = promise;
      return resolve;
    },
  };
}
