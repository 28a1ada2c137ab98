import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { createManualPayouts } from '@tillhook/server/src/processors/manual/payouts.ts';
import { createPayoutProcessors } from '@tillhook/server/src/processors/processors.ts';
import test from 'ava';

const payout = {
  transferId: '01940000-0000-7000-8000-000000000000',
  reference: 'payout-77',
  amount: 250000n,
  currency: 'NGN',
  recipient: { name: 'Grace Hopper', accountNumber: '0000000001', bankCode: '058' },
  narration: null,
};

test('a manual payout is always processing, and is checked again a day later', async (t) => {
  const manual = createManualPayouts();

  for (const answer of [await manual.create(payout), await manual.status(payout)]) {
    t.deepEqual(answer, { result: 'processing', checkAfterSeconds: 86_400 });
  }
});

const namesOf = (env: Record<string, string>) => {
  const { test, live } = createPayoutProcessors(loadConfig(env));
  return [test?.name, live?.name];
};

test('manual payouts serve live mode if they are configured, and never test mode', (t) => {
  t.deepEqual(namesOf({}), ['simulator', undefined]);
  t.deepEqual(namesOf({ PAYOUT_PROCESSOR: '' }), ['simulator', undefined]);
  t.deepEqual(namesOf({ PAYOUT_PROCESSOR: 'manual' }), ['simulator', 'manual']);
});
