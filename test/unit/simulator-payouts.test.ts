import { createPayoutSimulator } from '@tillhook/server/src/processors/simulator/payouts.ts';
import test from 'ava';

const simulator = createPayoutSimulator('test');

const payoutTo = (accountNumber: string) => ({
  transferId: '01940000-0000-7000-8000-000000000000',
  reference: 'payout-77',
  amount: 250000n,
  currency: 'NGN',
  recipient: { name: 'Grace Hopper', accountNumber, bankCode: '058' },
  narration: null,
});

test('the payout simulator refuses live mode', (t) => {
  t.throws(() => createPayoutSimulator('live'), { message: /created for live mode/ });
});

const answers: [accountNumber: string, created: object, later: object][] = [
  ['0000000000', { result: 'completed' }, { result: 'completed' }],
  ['0123456789', { result: 'completed' }, { result: 'completed' }],
  ['0000000001', { result: 'failed', code: 'account_not_found' }, { result: 'failed' }],
  ['0000000002', { result: 'processing', checkAfterSeconds: 30 }, { result: 'completed' }],
  ['0000000003', { result: 'completed', checkAfterSeconds: 3 }, { result: 'reversed', code: 'returned_by_bank' }],
];

for (const [accountNumber, created, later] of answers) {
  test(`a transfer to the account ${accountNumber} gets the same verdict each time`, async (t) => {
    for (let times = 0; times < 2; times += 1) t.like(await simulator.create(payoutTo(accountNumber)), created);
    for (let times = 0; times < 2; times += 1) t.like(await simulator.status(payoutTo(accountNumber)), later);
  });
}
