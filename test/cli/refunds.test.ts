import test from 'ava';
import { paidMerchant } from '../support/money/refunds.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';

/** A server that runs no jobs, so that refunds stay pending. */
const server = serverForFile({ ROLE: 'api' });
const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, 'refunds', ...args);

test('refunds list shows the refunds of a merchant that match, newest first, and refunds show shows one', async (t) => {
  const { id, client } = await paidMerchant(server(), 1000);
  await client.refunds.create('order-1042', { amount: 105, reference: 'refund-1' });
  await client.refunds.create('order-1042', { amount: 200, reference: 'refund-2', reason: 'Late' });
  const of = ['--mode', 'test', '--merchant', id];

  const shown = await tillhook('list', ...of);
  const failed = await tillhook('list', ...of, '--status', 'failed');
  const one = await tillhook('show', 'refund-2', ...of);
  const asJson = await tillhook('show', 'refund-2', ...of, '--json');
  const missing = await tillhook('show', 'refund-3', ...of);

  t.deepEqual(
    shown.stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ +/).slice(0, 6).join(' ')),
    ['refund-2 order-1042 pending NGN 2.00 api', 'refund-1 order-1042 pending NGN 1.05 api'],
  );
  t.regex(failed.stderr, /No refund matches/);
  t.regex(one.stdout, /^reason +Late$/m);
  t.like(JSON.parse(asJson.stdout), { reference: 'refund-2', amount: 200, origin: 'api' });
  t.is(missing.code, 1);
});

test('refunds list needs a mode', async (t) => {
  t.is((await tillhook('list')).code, 2);
});
