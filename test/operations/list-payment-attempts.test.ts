import type { OperationOutput } from '@tillhook/openapi';
import test from 'ava';
import { leaveAttemptUndecided, startCheckout } from '../support/money/payments.ts';
import { payByForm, submitPage } from '../support/pages/hosted-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const reference = 'order-1042';
const pathOf = (wanted: string) => `/api/v1/dashboard/payments/${wanted}/attempts`;

async function attemptsOf({ call }: SignedIn): Promise<OperationOutput<'listPaymentAttempts'>['attempts']> {
  return (await (await call(pathOf(reference))).json()).attempts;
}

test('200 with an empty list for a payment without an attempt', async (t) => {
  const ada = await signIn(server());
  await startCheckout(ada.merchant);

  t.deepEqual(await attemptsOf(ada), []);
});

test('200 lists the attempts in order, with card and decline', async (t) => {
  const ada = await signIn(server());
  const { checkoutUrl } = await startCheckout(ada.merchant);
  await payByForm(checkoutUrl, '4000000000009995');
  await payByForm(checkoutUrl, '5555555555554444');

  const attempts = await attemptsOf(ada);

  const [declined, paid] = attempts;
  const { startedAt = '', settledAt } = declined ?? {};
  t.is(attempts.length, 2);
  t.deepEqual(declined, {
    number: 1,
    startedAt,
    settledAt: settledAt ?? null,
    card: { brand: 'visa', last4: '9995' },
    outcome: 'declined',
    failureCode: 'insufficient_funds',
    failureMessage: 'The card has insufficient funds',
    threeDSecure: false,
  });
  t.true(Date.parse(settledAt ?? '') >= Date.parse(startedAt));
  t.like(paid, { number: 2, outcome: 'paid', card: { brand: 'mastercard', last4: '4444' } });
  t.like(paid, { failureCode: null, failureMessage: null, threeDSecure: false });
  t.is(paid?.settledAt, (await ada.merchant.client.payments.get(reference)).completedAt);
});

for (const [answer, outcome, failureCode] of [
  ['complete', 'paid', null],
  ['fail', 'declined', 'authentication_failed'],
] as const) {
  test(`200 says that the cardholder was asked to confirm: ${answer}`, async (t) => {
    const ada = await signIn(server());
    const { checkoutUrl } = await startCheckout(ada.merchant);
    await payByForm(checkoutUrl, '4000000000003220');

    t.like((await attemptsOf(ada))[0], { outcome: 'open', settledAt: null, threeDSecure: true });
    await submitPage(checkoutUrl, '/step', { step: answer });

    t.like((await attemptsOf(ada))[0], { outcome, failureCode, threeDSecure: true });
  });
}

test('200 while a card is being decided', async (t) => {
  const ada = await signIn(server());
  const { accessCode } = await startCheckout(ada.merchant);
  await leaveAttemptUndecided(server(), accessCode);

  t.like((await attemptsOf(ada))[0], { number: 1, outcome: 'open', settledAt: null, card: { last4: '4444' } });
});

test('404 when the payment does not exist, or belongs to another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  await startCheckout(ada.merchant);

  t.deepEqual(await refusalIn(await other.call(pathOf(reference))), [404, 'resource_not_found']);
  t.deepEqual(await refusalIn(await ada.call(pathOf(reference), { mode: 'live' })), [404, 'resource_not_found']);
  t.deepEqual(await refusalIn(await ada.call(pathOf('order-7777'))), [404, 'resource_not_found']);
});
