import type { Page } from 'playwright-core';
import { changeAnswers, click, open, type ScenePlace, typeInto } from './dashboard-scene.ts';
import { type DashboardScenes, endpoint } from './dashboard-scenes.ts';
import { chooseTab, openFilter } from './lists.ts';
import { liveNeeds, operator, pending, refundedInPart, replaced, staged, twoStep } from './scene-answers.ts';

const money = { Amount: '5,000' };
const proof = { Password: 'correct horse battery staple' };

/** The first click on most of these buttons also loads the script of the dialog. */
export const openers = [
  ['/test/payments', 'Create a checkout link'],
  ['/test/payments', 'SearchCtrl K'],
  ['/test/payments', 'Account of demo@example.com'],
  ['/test/transfers', 'Send money'],
  ['/test/balances?kind=transfer', 'Add test money'],
  ['/test/webhooks', 'Add endpoint'],
  [endpoint, 'Replay missed'],
  ['/test/developers', 'Create API key'],
] as const;

const openTransfer = async (page: Page) => {
  await page.getByRole('link', { name: 'payout-77' }).click();
  await page.getByRole('button', { name: 'Mark as completed' }).waitFor();
};

const dialog =
  (path: string, steps: (page: Page) => Promise<unknown>, answers: Parameters<typeof changeAnswers>[1] = {}) =>
  async (page: Page, place: ScenePlace) => {
    await changeAnswers(page, answers);
    await open(page, place, path);
    await steps(page);
  };

export const dashboardDialogs: DashboardScenes = {
  'a form of live mode without a processor': async (page, place) => {
    await changeAnswers(page, { 'dashboard/live-setup': liveNeeds(['payment_processor']) });
    await open(page, place, '/live/payments');
    await page.getByText('Live payments are not set up').first().waitFor();
    await click(page, /^Search/);
    await page.getByRole('dialog').getByRole('textbox').fill('checkout link');
    await page.getByText('Create a checkout link').last().click();
    await page.getByRole('dialog', { name: 'Create a checkout link' }).waitFor();
  },
  'the search': dialog('/test', async (page) => {
    await click(page, 'Search');
    await page.getByRole('dialog').getByRole('textbox').fill('order-1042');
    await page.getByRole('dialog').getByText('ada@example.com').first().waitFor();
  }),
  'the menu of the user': dialog('/test', (page) => click(page, 'Account of demo@example.com')),
  'the keyboard help': dialog('/test', async (page) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  }),
  'a person is invited': dialog('/test/settings?tab=team', async (page) => {
    await click(page, 'Invite a user');
    await typeInto(page, { Email: 'grace@example.com' });
  }),
  'the link of an invitation is there': dialog('/test/settings?tab=team', async (page) => {
    await click(page, 'Invite a user');
    await typeInto(page, { Email: 'grace@example.com' });
    await click(page, 'Invite');
    await page.getByRole('dialog', { name: 'Invitation created' }).waitFor();
  }),
  'the role of a user is changed': dialog('/test/settings?tab=team', (page) =>
    click(page, 'Change role of sam@example.com'),
  ),
  'a user is removed': dialog('/test/settings?tab=team', (page) => click(page, 'Remove sam@example.com')),
  'an invitation is revoked': dialog('/test/settings?tab=team', (page) =>
    click(page, 'Revoke the invitation of grace@example.com'),
  ),
  'a checkout link is created': dialog('/test/payments', async (page) => {
    await click(page, 'Create a checkout link');
    await typeInto(page, money);
  }),
  'a checkout link is there': dialog('/test/payments', async (page) => {
    await click(page, 'Create a checkout link');
    await typeInto(page, { ...money, 'Customer’s email': 'ada@example.com' });
    await click(page, 'Create link');
    await page.getByRole('dialog', { name: 'Send this link' }).waitFor();
  }),
  'a view of a list is saved': dialog('/test/payments?currency=NGN', async (page) => {
    await click(page, 'Save view');
    await typeInto(page, { Name: 'Large and completed' });
    await page.getByText('This replaces your view with the same name.').waitFor();
  }),
  'the period of a list is chosen': dialog('/test/payments', async (page) => {
    await (await openFilter(page, 'Created')).getByLabel('Custom range').check();
  }),
  'the columns of a list are chosen': dialog('/test/payments', (page) => click(page, 'Columns')),
  'a payment link is created': dialog('/test/payment-links', async (page) => {
    await click(page, 'Create a payment link');
    await page.getByRole('dialog').getByText('More options').click();
  }),
  'a payment link for a product is created': dialog('/test/payment-links', async (page) => {
    await click(page, 'Create a payment link');
    await page.getByRole('dialog').getByLabel('Price').selectOption('product');
  }),
  'a payment link is edited': dialog('/test/payment-links/019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f60', (page) =>
    click(page, 'Edit'),
  ),
  'a payment link is stopped': dialog('/test/payment-links/019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f60', (page) =>
    click(page, 'Stop'),
  ),
  'Webhooks resent': dialog('/test/payments/order-1042', (page) => click(page, 'Resend webhooks')),
  'money is sent': dialog('/test/transfers', async (page) => {
    await click(page, 'Send money');
    await typeInto(page, { ...money, Reference: 'payout-77' });
  }),
  'a transfer is reviewed': dialog('/test/transfers', async (page) => {
    await click(page, 'Send money');
    const recipient = {
      'Recipient’s name': 'Grace Hopper',
      'Account number or IBAN': '0123456789',
      'Bank code': '058',
    };
    await typeInto(page, { ...money, ...recipient, Reference: 'payout-77' });
    await click(page, 'Review');
    await page.getByText('Check the transfer').waitFor();
  }),
  'the Transfer wallet is topped up': dialog('/test/balances', async (page) => {
    await click(page, 'Top up Transfer wallet');
    await typeInto(page, money);
  }),
  'test money is added': dialog('/test/balances?kind=transfer', (page) => click(page, 'Add test money')),
  'a product is added': dialog('/test/products', (page) => click(page, 'Add product')),
  'an endpoint is added': dialog('/test/webhooks', async (page) => {
    await click(page, 'Add endpoint');
    await page.getByRole('dialog').getByLabel('Selected events').check();
  }),
  'an endpoint was added': dialog('/test/webhooks', async (page) => {
    await click(page, 'Add endpoint');
    await typeInto(page, { Address: 'https://shop.example.com/webhooks' });
    await click(page, 'Add endpoint');
    await click(page, 'Send a test event');
    await page.getByRole('dialog').getByText('Returned 200').waitFor();
  }),
  'an endpoint is edited': dialog(endpoint, (page) => click(page, 'Edit')),
  'an endpoint is removed': dialog(endpoint, (page) => click(page, 'Remove')),
  'missed deliveries are replayed': dialog(endpoint, (page) => click(page, 'Replay missed')),
  'a secret is revealed': dialog(`${endpoint}?tab=secret`, (page) => click(page, 'Reveal')),
  'a key is created': dialog('/test/developers', async (page) => {
    await click(page, 'Create API key');
    await page.getByLabel('Selected permissions only').check();
  }),
  'a key is shown once': dialog('/test/developers', async (page) => {
    await click(page, 'Create API key');
    await typeInto(page, { Name: 'Web shop' });
    await click(page, 'Create key');
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
  }),
  'a key is rolled': dialog('/test/developers', (page) => click(page, /^Roll /)),
  'a key is revoked': dialog('/test/developers', (page) => click(page, /^Revoke /)),
  'time has passed': dialog('/test/developers', async (page) => {
    await click(page, '1 day');
    await page.getByText('the expiry of 2 checkouts').waitFor();
  }),
  'two-step sign-in begins': dialog('/test/account', (page) => click(page, 'Turn on')),
  'two-step sign-in is confirmed': dialog('/test/account', async (page) => {
    await click(page, 'Turn on');
    await typeInto(page, proof);
    await click(page, 'Continue');
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  }),
  'a passkey is added': dialog('/test/account', (page) => click(page, 'Add a passkey')),
  'a passkey is renamed': dialog('/test/account', (page) => click(page, 'Rename the passkey Chrome on Linux')),
  'a passkey is removed': dialog('/test/account', (page) => click(page, 'Remove the passkey Chrome on Linux')),
  // Dialogs with changed responses come last, because the dashboard must be loaded again before and after each of them.
  'a payment is completed': dialog('/test/payments/order-1042', (page) => click(page, 'Complete payment'), pending),
  'a payment is cancelled': dialog('/test/payments/order-1042', (page) => click(page, 'Cancel'), pending),
  'a payment is refunded': dialog(
    '/test/payments/ref_k3v9m2q7x4t8w5n6b1zd',
    (page) => click(page, 'Refund'),
    refundedInPart,
  ),
  'a next secret is staged': dialog(`${endpoint}?tab=secret`, async (page) => {
    await click(page, 'Stage next secret');
    await page.getByLabel('Your own secret').check();
    await page.getByLabel('Takes over').selectOption('At once');
  }),
  'the old secret is ended': dialog(`${endpoint}?tab=secret`, (page) => click(page, 'End old secret now'), replaced),
  'a rotation is completed': dialog(`${endpoint}?tab=secret`, (page) => click(page, 'Complete rotation'), staged),
  'recovery codes are shown': dialog(
    '/test/account',
    async (page) => {
      await click(page, 'Create new recovery codes');
      await typeInto(page, { ...proof, Code: '123456' });
      await click(page, 'Create new codes');
      await page.getByRole('dialog', { name: 'Your new recovery codes' }).waitFor();
    },
    twoStep,
  ),
  'two-step sign-in is turned off': dialog('/test/account', (page) => click(page, 'Turn off'), twoStep),
  'a transfer is decided': dialog('/live/operator', openTransfer, operator),
  'a transfer has arrived': dialog(
    '/live/operator',
    async (page) => {
      await openTransfer(page);
      await click(page, 'Mark as completed');
    },
    operator,
  ),
  'a review is resolved': dialog('/live/operator?tab=payments', (page) => click(page, /^Complete/), operator),
  'a session has ended': async (page, place) => {
    await open(page, place, '/test/deliveries');
    await changeAnswers(page, { '*': 401 });
    await chooseTab(page, 'Failed');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  },
};
