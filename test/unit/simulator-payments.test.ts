import { passesLuhn } from '@tillhook/server/src/pages/checkout/read-card-form.ts';
import { successOf } from '@tillhook/server/src/processors/port.ts';
import { createPaymentSimulator } from '@tillhook/server/src/processors/simulator/payments.ts';
import test from 'ava';

const simulator = createPaymentSimulator('test');
const charge = {
  attemptId: '01940000-0000-7000-8000-000000000000',
  reference: 'order-1042',
  amount: 500000n,
  currency: 'NGN',
  customerEmail: 'ada@example.com',
  description: null,
  locale: null,
  statementName: null,
  startedAt: new Date('2026-11-21T10:00:00Z'),
  expiresAt: new Date('2026-11-22T10:00:00Z'),
  paidUrl: 'http://localhost/paid',
  backUrl: 'http://localhost/back',
  processorId: null,
  method: 'card' as const,
  now: new Date('2026-11-21T10:00:00Z'),
};

const start = (number: string) =>
  simulator.start(charge, { number, expiryMonth: 12, expiryYear: 2040, cvc: '123', name: 'Ada Lovelace' });

test('the payment simulator refuses live mode', (t) => {
  t.throws(() => createPaymentSimulator('live'), { message: /created for live mode/ });
});

for (const number of ['4242424242424242', '5555555555554444', '378282246310005', '4084084084084081']) {
  test(`the test card ${number} pays the requested amount and currency`, async (t) => {
    t.deepEqual(await start(number), { result: 'paid', amount: 500000n, currency: 'NGN' });
  });
}

const declines = {
  '4000000000000002': ['card_declined', 'The card was declined'],
  '4000000000009995': ['insufficient_funds', 'The card has insufficient funds'],
  '4000000000000069': ['expired_card', 'The card has expired'],
  '4000000000000127': ['incorrect_cvc', 'The security code is incorrect'],
  '4000000000000119': ['processing_error', 'The card could not be processed'],
};

for (const [number, [code, message]] of Object.entries(declines)) {
  test(`the test card ${number} is declined: ${code}`, async (t) => {
    t.deepEqual(await start(number), { result: 'declined', code, message } as Awaited<ReturnType<typeof start>>);
  });
}

test('a lost card is declined with its own code and the general message', async (t) => {
  const [lost, declined] = await Promise.all([start('4000000000009987'), start('4000000000000002')]);

  t.deepEqual(lost, { ...declined, code: 'lost_card' } as typeof lost);
});

test('the same attempt gets the same verdict each time', async (t) => {
  t.deepEqual(await start('4000000000000002'), await start('4000000000000002'));
});

test('an attempt with the 3-D Secure card stays open until the authentication, whose result decides whether it is paid', async (t) => {
  const opened = await start('4000000000003220');
  const waiting = { ...charge, processorId: opened.result === 'open' ? (opened.processorId ?? null) : null };

  t.like(opened, { result: 'open' });
  t.like(await simulator.status(waiting), { result: 'open' });
  t.like(await simulator.finishStep(waiting, true), { result: 'paid', amount: 500000n, currency: 'NGN' });
  t.like(await simulator.finishStep(waiting, false), { result: 'declined', code: 'authentication_failed' });
  t.deepEqual(await simulator.cancel(waiting), { result: 'cancelled' });
});

test('a 3-D Secure step that was not requested does not complete a payment', async (t) => {
  t.like(await simulator.finishStep(charge, true), { result: 'declined', code: 'processing_error' });
});

test('a card that is no test card is refused with an error that does not contain its number', async (t) => {
  const error = await t.throwsAsync(start('4111111111111111'));

  t.notRegex(`${error?.message} ${error?.stack}`, /4111/);
});

const refundOrder = {
  refundId: '01940000-0000-7000-8000-000000000001',
  reference: 'refund-1',
  paymentReference: 'order-1042',
  amount: 500000n,
  currency: 'NGN',
  chargeId: null,
  processorId: null,
};

for (const [number, says, first, later] of [
  ['4242424242424242', 'Succeeds', 'completed', 'completed'],
  ['4000000000003220', 'Asks for 3-D Secure', 'completed', 'completed'],
  ['4000000000007726', 'Succeeds; a refund completes after 30 seconds', 'processing', 'completed'],
  ['4000000000005126', 'Succeeds; a refund fails after 30 seconds', 'processing', 'failed'],
] as const) {
  test(`a refund to the test card ${number} behaves as the documentation says: ${says}`, async (t) => {
    const card = simulator.testCards.find((each) => each.number === number);
    const order = { ...refundOrder, cardLast4: number.slice(-4) };
    const verdict = await simulator.refund(order);

    t.is(successOf(card ?? {}), says);
    t.deepEqual(
      [verdict.result, verdict.result === 'processing' && verdict.checkAfterSeconds],
      [first, first === 'processing' && 30],
    );
    t.is((await simulator.refundStatus(order)).result, later);
  });
}

test('every test card has a valid check digit', (t) => {
  for (const { number } of simulator.testCards) t.true(passesLuhn(number), number);
});
