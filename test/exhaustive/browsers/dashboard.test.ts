/** Tests the main tasks of a merchant, and a click on every page with a table, in Firefox and in WebKit. */
import test from 'ava';
import { strayLinks } from '../../support/browser/look.ts';
import { inOtherBrowsers, type Tab } from '../../support/browser/tab.ts';
import { openers } from '../../support/dashboard/dashboard-dialogs.ts';
import { endpoint } from '../../support/dashboard/dashboard-scenes.ts';
import { type MockDashboard, startMockDashboard } from '../../support/dashboard/mock-dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { receiverFor } from '../../support/receivers/receiver.ts';
import { serverForFile } from '../../support/server/tillhook.ts';
import { createMerchantWithUser, password } from '../../support/users/users.ts';

const server = serverForFile();
const inEach = inOtherBrowsers();
let mock: MockDashboard;

test.before(async () => {
  mock = await startMockDashboard();
});
test.after.always(() => mock.stop());

const tablePages = {
  payments: 'payments/[^/]+$',
  'payments/ref_k3v9m2q7x4t8w5n6b1zd': null,
  transfers: 'transfers/[^/]+$',
  'balances?kind=transfer': null,
  products: null,
  webhooks: 'webhooks/[^/]+$',
  [endpoint.replace('/test/', '')]: 'deliveries/[^/]+$',
  deliveries: 'deliveries/[^/]+$',
  events: 'events/[^/]+$',
  developers: null,
  'settings?tab=sessions': null,
  'settings?tab=audit': null,
};

inEach('a merchant signs in, opens a payment by its row, saves the list, and sends a test event', async (t, tab) => {
  const { client, email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const receiver = await receiverFor(t);
  await client.webhookEndpoints.register({ url: receiver.url });
  for (const reference of ['order-1', 'order-2', 'order-3'])
    await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference });

  await tab.goto(`${server().url}/dashboard/test/payments`);
  await tab.fill('input', email, 'Email');
  await tab.fill('input', password, 'Password');
  await tab.press('Enter');
  await tab.see('td a', 'order-1');
  await tab.run(noteSavedFile);
  await tab.click('button', 'Export CSV');
  await eventually(() => tab.run('document.title'), 'order-3, order-2, order-1');
  t.true((await tab.address()).endsWith('/dashboard/test/payments'));
  await tab.click('tr:has(a[href$="order-2"])');
  await eventually(() => tab.address(), `${server().url}/dashboard/test/payments/order-2`);
  await tab.click('nav[aria-label="Pages"] a', 'Webhooks');
  await tab.see('h1', 'Webhooks');
  await tab.click('main tbody tr:has(a)');
  await tab.click('button', 'Send a test event');
  await tab.see('button', 'Send another test event');

  t.is(receiver.deliveries.length, 1);
});

inEach('on every page with a table, a click opens the row that is under the cursor', async (t, tab) => {
  await openMock(tab);

  for (const [path, target] of Object.entries(tablePages)) {
    await tab.goto(`${mock.url}/dashboard/test/${path}`);
    await tab.see('table');
    t.deepEqual(await tab.run<string[]>(strayLinks), [], path);
    if (target) await clickLastRow(tab, new RegExp(`/dashboard/test/${target}`));
    await tab.click('nav[aria-label="Pages"] a', 'Settings');
    await tab.see('h1', 'Settings');
  }
});

inEach('after Escape from a dialog or menu, the focus is on the button that opened it', async (t, tab) => {
  await openMock(tab);

  for (const [path, button] of openers) {
    await tab.goto(`${mock.url}/dashboard${path}`);
    for (const _time of ['the first', 'the second']) {
      await tab.focus('button', button);
      await tab.press('Enter');
      await eventually(() => tab.run(isFocusInside), true);
      await tab.press('Escape');
      await tab.seeNot('[role=dialog], [role=menu]');
      await eventually(() => tab.focused(), `button ${button}`);
    }
  }
  // No assertion is needed: if the focus does not return, a wait above fails the test.
  t.pass();
});

inEach('after signing out, the back button shows no data of the merchant', async (t, tab) => {
  const { client, email } = await createMerchantWithUser(server(), 'Ada’s Books');
  await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference: 'order-1' });
  await tab.goto(`${server().url}/docs`);
  await tab.goto(`${server().url}/dashboard/test/payments`);
  await tab.fill('input', email, 'Email');
  await tab.fill('input', password, 'Password');
  await tab.press('Enter');
  await tab.see('td a', 'order-1');
  // The listener stores the page's text if the back/forward cache restores the page. Only WebKit restores this page.
  await tab.run(`addEventListener('pageshow', () => sessionStorage.setItem('kept', document.body.innerText))`);
  await tab.click('button', `Account of ${email}`);
  await tab.click('[role=menuitem]', 'Sign out');
  await tab.see('h1', 'Sign in to Tillhook');

  await tab.back();

  await eventually(() => tab.address(), `${server().url}/dashboard/sign-in?from=%2Ftest%2Fpayments`);
  await tab.see('h1', 'Sign in to Tillhook');
  await tab.seeNot('td a');
  t.false((await tab.text('body')).includes('Ada’s Books'));
  t.is(await tab.run(`sessionStorage.getItem('kept') ?? ''`), '', 'the page shows it for no moment either');
});

const isFocusInside = `document.activeElement.closest('[role=dialog], [role=menu]') !== null`;

const noteSavedFile = `(() => {
  const original = URL.createObjectURL;
  URL.createObjectURL = (file) => {
    file.text().then((text) => { document.title = text.match(/order-[0-9]/g).join(', '); });
    return original.call(URL, file);
  };
})()`;

/** The mock accepts any session. */
async function openMock(tab: Tab): Promise<void> {
  await tab.goto(`${mock.url}/docs`);
  await tab.run(`document.cookie = 'tillhook_session=any; path=/'`);
}

async function clickLastRow(tab: Tab, target: RegExp): Promise<void> {
  await tab.click('main tbody tr:last-child:has(a)');
  await eventually(
    () => tab.address(),
    (address) => target.test(address),
  );
}
