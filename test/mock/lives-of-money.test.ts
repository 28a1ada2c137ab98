/** The mock's wallets begin with a balance, so the tests compare only the changes of balances. */
import './unobserved.ts';
import { randomUUID } from 'node:crypto';
import type { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { bothSidesForFile, disagreements, refusedAs, type Side } from './both-sides.ts';

const bothSides = bothSidesForFile();
const recipient = { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' };
const currency = 'KES';
const walletsOf = async (client: Tillhook) => {
  const { wallets } = await client.wallets.list();
  const [collection, transfer] = wallets.filter((wallet) => wallet.currency === currency);
  return [collection?.available ?? 0, transfer?.available ?? 0, transfer?.reserved ?? 0];
};
const changes = async (client: Tillhook, act: () => Promise<unknown>) => {
  const before = await walletsOf(client);
  await act();
  return (await walletsOf(client)).map((value, place) => value - Number(before[place]));
};
const ended = (client: Tillhook, reference: string, status: string) =>
  eventually(
    () => client.transfers.get(reference),
    (transfer) => transfer.status === status,
  );
const toAccount = async (client: Tillhook, accountNumber: string) => {
  const reference = `payout-${randomUUID()}`;
  const to = { ...recipient, accountNumber };
  const transfer = await client.transfers.create({ reference, amount: 700, currency, recipient: to });
  return [reference, [transfer.status, transfer.recipient.accountNumberLast4, transfer.amount]] as const;
};
const eventsOf = async (client: Tillhook, reference: string) => {
  const { events } = await eventually(
    () => client.events.list({ reference }),
    ({ total }) => total > 0,
  );
  return events.map(({ event, data }) => [
    event,
    data.status,
    ...['failureCode', 'failureReason'].map((field) => Reflect.get(data, field)),
  ]);
};

type Life = (client: Tillhook) => Promise<unknown>;

const lives: Record<string, [live: Life, expected: unknown]> = {
  'a transfer is deducted from the wallet and completes, and its event is sent': [
    async (client) => {
      await client.test.fundWallet({ amount: 5000, currency });
      let reference = '';
      let begun: unknown;
      const moved = await changes(client, async () => {
        [reference, begun] = await toAccount(client, '0123456789');
        await ended(client, reference, 'completed');
      });
      const same = { reference, amount: 1, currency, recipient };
      const { transfers, total } = await client.transfers.list({ reference });
      const { entries } = await client.wallets.listEntries('transfer', { currency, reference });
      return [
        begun,
        moved,
        await eventsOf(client, reference),
        [transfers[0]?.status, transfers[0]?.completedAt !== null, total],
        entries.map(({ type, amount, kind }) => [type, amount, kind]),
        await refusedAs(client.transfers.create(same)),
      ];
    },
    [
      ['pending', '6789', 700],
      [0, -700, 0],
      [['transfer.success', 'completed', null, null]],
      ['completed', true, 1],
      [['transfer', -700, 'transfer']],
      '409 duplicate_reference A transfer with this reference already exists',
    ],
  ],
  'too little money by bank transfer puts a payment under review, and the exact amount completes it with a receipt': [
    async (client) => {
      const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500, currency });
      const tooLittle = await client.test.receiveBankTransfer(data.reference, { amount: 400 });
      const exact = await client.test.receiveBankTransfer(data.reference, { amount: 500 });
      return [
        [tooLittle.status, tooLittle.reviewReason, tooLittle.receiptUrl],
        [exact.status, exact.reviewReason, exact.receiptUrl === data.checkoutUrl],
      ];
    },
    [
      ['processing', 'amount_mismatch', null],
      ['completed', 'amount_mismatch', true],
    ],
  ],
  'a transfer to an account that does not exist fails, and its amount is returned to the wallet': [
    async (client) => {
      await client.test.fundWallet({ amount: 5000, currency });
      let reference = '';
      const moved = await changes(client, async () => {
        [reference] = await toAccount(client, '0000000001');
        await ended(client, reference, 'failed');
      });
      const { failureCode, failureReason } = await client.transfers.get(reference);
      const { entries } = await client.wallets.listEntries('transfer', { currency, reference });
      const types = entries.map(({ type, amount }) => [type, amount]);
      return [moved, failureCode, failureReason, await eventsOf(client, reference), types];
    },
    [
      [0, 0, 0],
      'account_not_found',
      'The account does not exist',
      [['transfer.failed', 'failed', 'account_not_found', 'The account does not exist']],
      [
        ['transfer_return', 700],
        ['transfer', -700],
      ],
    ],
  ],
  'a slow transfer completes after the clock of test mode was advanced, and another transfer is returned by the bank': [
    async (client) => {
      await client.test.fundWallet({ amount: 5000, currency });
      const [slow] = await toAccount(client, '0000000002');
      const [returned] = await toAccount(client, '0000000003');
      await ended(client, slow, 'processing');
      await eventually(
        () => client.transfers.get(returned),
        ({ completedAt }) => completedAt !== null,
      );
      const [, , reserved] = await walletsOf(client);
      const { moved } = await client.test.advanceTime({ seconds: 30 });
      await ended(client, slow, 'completed');
      const { failureCode } = await ended(client, returned, 'reversed');
      const told = (await eventsOf(client, returned)).map(([event]) => event);
      return [reserved, moved.transfers >= 1, failureCode, told];
    },
    [700, true, 'returned_by_bank', ['transfer.failed', 'transfer.success']],
  ],
  'a transfer or refund cannot exceed the balance of its wallet': [
    async (client) => {
      const none = { currency: 'GHS', recipient, amount: 1, reference: `payout-${randomUUID()}` };
      const { reference } = (await client.checkout.create({ email: 'ada@example.com', amount: 500, currency })).data;
      await client.test.completePayment(reference);
      const topUp = { amount: 200, currency, reference: `top-up-${randomUUID()}` };
      const moved = await changes(client, () => client.wallets.topUp(topUp));
      return [
        await refusedAs(client.transfers.create(none)),
        await refusedAs(client.transfers.create({ ...none, recipient: { ...recipient, bankCode: '000' } })),
        await refusedAs(client.transfers.get(none.reference)),
        moved,
        await refusedAs(client.wallets.topUp(topUp)),
        await refusedAs(client.wallets.topUp({ amount: 1_000_000_000, currency })),
        await refusedAs(client.wallets.listEntries('collection')),
      ];
    },
    [
      '422 insufficient_funds The Transfer wallet has too little GHS for this',
      '422 invalid_recipient There is no bank with the code 000',
      '404 resource_not_found No such resource',
      [-200, 200, 0],
      '409 duplicate_reference A top-up with this reference already exists',
      '422 insufficient_funds The Collection wallet has too little KES for this',
      '400 missing_parameter currency is required, because there are wallets in several currencies',
    ],
  ],
  'a payment is credited to the Collection wallet, and a refund is deducted from the Collection wallet': [
    async (client) => {
      const { reference } = (await client.checkout.create({ email: 'ada@example.com', amount: 500, currency })).data;
      const paid = await changes(client, () => client.test.completePayment(reference));
      const refunded = await changes(client, async () => {
        const refund = await client.refunds.create(reference, { amount: 200 });
        await eventually(
          () => client.refunds.get(refund.reference),
          ({ status }) => status === 'completed',
        );
      });
      const { entries } = await client.wallets.listEntries('collection', { currency, limit: 2 });
      return [paid, refunded, entries.map(({ type, amount }) => [type, amount])];
    },
    [
      [500, 0, 0],
      [-200, 0, 0],
      [
        ['refund', -200],
        ['payment', 500],
      ],
    ],
  ],
  'a payment link is created once for a slug, refuses two prices, is listed and stopped': [
    async (client) => {
      const slug = `book-${randomUUID()}`;
      const link = await client.paymentLinks.create({
        name: 'A book',
        amount: 500,
        slug,
        expiresAt: '2099-01-01T00:00:00Z',
      });
      const refusals = [
        await refusedAs(client.paymentLinks.create({ name: 'A book', amount: 500, slug })),
        await refusedAs(client.paymentLinks.create({ name: 'A book', amount: 500, minAmount: 5 })),
        await refusedAs(client.paymentLinks.create({ name: 'A book', quantity: 5 })),
        await refusedAs(client.paymentLinks.create({ name: 'A book', minAmount: 5, suggestedAmount: 4 })),
        await refusedAs(client.paymentLinks.create({ name: 'A book', expiresAt: '2020-01-01T00:00:00Z' })),
        await refusedAs(client.paymentLinks.create({ name: 'A book', productId: randomUUID() })),
        await refusedAs(client.paymentLinks.update(link.id, { maxQuantity: 5 })),
      ];
      const stopped = await client.paymentLinks.update(link.id, { isActive: false, expiresAt: null });
      const { paymentLinks } = await client.paymentLinks.list({ isActive: false, limit: 1 });
      return [refusals, link.expiresAt, stopped.status, stopped.expiresAt, paymentLinks[0]?.id === link.id];
    },
    [
      [
        '409 duplicate_slug A payment link with this slug already exists; choose another one',
        '400 invalid_parameter minAmount must not be sent for a link with a fixed amount',
        '400 invalid_parameter quantity must not be sent for a link with an amount that the customer enters',
        '400 invalid_parameter suggestedAmount must not be less than minAmount',
        '400 invalid_parameter expiresAt must be in the future',
        '400 invalid_parameter productId is the id of none of your active products in this mode',
        '400 invalid_parameter maxQuantity must not be sent for a link with a fixed amount',
      ],
      '2099-01-01T00:00:00.000Z',
      'stopped',
      null,
      true,
    ],
  ],
  'a product is created, changed, listed and archived': [
    async (client) => {
      const name = `Book ${randomUUID()}`;
      const { id } = await client.products.create({ name, price: 500, stock: 3 });
      const changed = await client.products.update(id, { price: 600 });
      const shown = async () => (await client.storefront.listProducts()).products.filter((one) => one.id === id);
      const [listed] = await shown();
      const archived = await client.products.archive(id);
      const gone = await shown();
      const back = await client.products.update(id, { isActive: true, stock: null });
      return [
        [changed.name === name, changed.price, changed.stock],
        [listed?.price, listed?.isActive],
        [archived.isActive, gone.length],
        [back.isActive, back.stock, (await shown()).length],
      ];
    },
    [
      [true, 600, 3],
      [600, true],
      [false, 0],
      [true, null, 1],
    ],
  ],
};

// The tests run serially, because they share wallets.
for (const [title, [live, expected]] of Object.entries(lives)) {
  test.serial(`on the mock as on the server, ${title}`, async (t) => {
    const statement = { title, expected, ask: ({ client }: Side) => live(client) };

    t.deepEqual(await disagreements(await bothSides(), [statement]), []);
  });
}
