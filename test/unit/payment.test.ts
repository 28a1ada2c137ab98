import { Payment, type PaymentStatus } from '@tillhook/server/src/money/payments/payment.entity.ts';
import test from 'ava';

const now = new Date('2026-11-21T10:00:00Z');
const card = { brand: 'visa', last4: '4242' } as const;
const declined = { code: 'card_declined', message: 'The card was declined' };

/**
 * A pending payment with attempts was declined; a processing payment was declined only if it has more than one attempt.
 */
function paymentIn(status: PaymentStatus, attempts = 0): Payment {
  const expiresAt = new Date('2026-11-22T10:00:00Z');
  const failureCode = attempts > (status === 'processing' ? 1 : 0) ? 'card_declined' : null;
  return Object.assign(new Payment(), { status, attempts, failureCode, expiresAt, createdAt: now, updatedAt: now });
}

const acts: Record<string, (payment: Payment) => void> = {
  submit: (payment) => payment.submit(card, now),
  complete: (payment) => payment.complete(now),
  decline: (payment) => payment.decline(declined, now),
  abandon: (payment) => payment.abandon(now),
  reopen: (payment) => payment.reopen(now),
  expire: (payment) => payment.expire(now, 'expired'),
  refuse: (payment) => payment.refuse(now),
};

/** Every other combination of status and act must throw. */
const transitions: [PaymentStatus, number, keyof typeof acts, PaymentStatus][] = [
  ['pending', 0, 'submit', 'processing'],
  ['pending', 0, 'expire', 'expired'],
  ['pending', 1, 'submit', 'processing'],
  ['pending', 1, 'expire', 'failed'],
  ['pending', 1, 'abandon', 'failed'],
  ['pending', 1, 'complete', 'completed'],
  ['processing', 1, 'complete', 'completed'],
  ['processing', 1, 'decline', 'pending'],
  ['processing', 3, 'complete', 'completed'],
  ['processing', 3, 'decline', 'failed'],
  ['processing', 1, 'reopen', 'pending'],
  ['processing', 1, 'expire', 'expired'],
  ['processing', 2, 'expire', 'failed'],
  ['processing', 1, 'refuse', 'failed'],
  ['failed', 3, 'complete', 'completed'],
  ['expired', 0, 'complete', 'completed'],
];

for (const [from, attempts, act, to] of transitions) {
  test(`${from} with ${attempts} attempts: ${act} leads to ${to}`, (t) => {
    const payment = paymentIn(from, attempts);

    acts[act]?.(payment);

    t.is(payment.status, to);
  });
}

test('every other transition of a payment is refused', (t) => {
  for (const from of ['pending', 'processing', 'completed', 'failed', 'expired'] as const) {
    for (const [act, run] of Object.entries(acts)) {
      if (transitions.some(([status, , name]) => status === from && name === act)) continue;
      t.throws(() => run(paymentIn(from, 1)), undefined, `${from}: ${act}`);
    }
  }
});

test('a decline is stored with its reason, and the customer has fifteen more minutes', (t) => {
  const payment = paymentIn('processing', 1);

  payment.decline(declined, now);

  t.like(payment, { failureCode: 'card_declined', failureMessage: 'The card was declined' });
  t.deepEqual(payment.expiresAt, new Date('2026-11-21T10:15:00Z'));
});

test('the first two wrong security codes of a payment use up no attempt, and every later one does', (t) => {
  const payment = Object.assign(paymentIn('pending'), { forgivenCodes: 0 });
  const seen = ['incorrect_cvc', 'invalid_cvc', 'incorrect_cvc', 'incorrect_cvc', 'incorrect_cvc'].map((code) => {
    payment.submit(card, now);
    payment.decline({ code, message: 'The security code is incorrect' }, now);
    return `${payment.status} ${payment.attemptsLeft}`;
  });

  t.deepEqual(seen, ['pending 3', 'pending 3', 'pending 2', 'pending 1', 'failed 0']);
});

test('coming back from the processor does not count as an attempt', (t) => {
  const payment = paymentIn('processing', 1);

  payment.reopen(now);

  t.like(payment, { attempts: 0, paymentMethod: null });
});

test('completing a payment removes the reason of an earlier decline', (t) => {
  const payment = Object.assign(paymentIn('processing', 2), { failureCode: 'card_declined', failureMessage: 'No' });

  payment.complete(now);

  t.like(payment, { status: 'completed', completedAt: now, failureCode: null, failureMessage: null });
});

const endings: [how: string, end: (payment: Payment) => void, canceller: 'merchant' | 'customer' | null][] = [
  ['the merchant cancels it', (payment) => payment.expire(now, 'cancelled'), 'merchant'],
  ['its customer gives up', (payment) => payment.abandon(now), 'customer'],
  ['its expiry has passed', (payment) => payment.expire(new Date('2026-11-22T10:00:01Z'), 'expired'), null],
];

for (const [how, end, canceller] of endings) {
  test(`a payment that ends after a decline stores who cancelled it: ${how}`, (t) => {
    const payment = paymentIn('pending', 1);

    end(payment);

    t.like(payment, { status: 'failed', canceller });
    payment.complete(now);
    t.is(payment.canceller, null);
  });
}

test('for a payment that an older version ended, the answer shows who cancelled it, unless the merchant cancelled after a decline', (t) => {
  const ended = (change: Partial<Payment>) =>
    Object.assign(paymentIn('failed', 1), { cancelledBy: null, ...change }).canceller;

  t.is(ended({ status: 'expired', expiryReason: 'cancelled' }), 'merchant');
  t.is(ended({ status: 'expired', expiryReason: 'expired' }), null);
  t.is(ended({}), 'customer');
  t.is(ended({ expiresAt: now }), null);
  t.is(ended({ attempts: 3 }), null);
});
