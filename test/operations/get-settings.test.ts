import test from 'ava';
import { chargeFee } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();
const path = '/api/v1/dashboard/settings';

test('200 returns the settings of the merchant, which are the same in both modes', async (t) => {
  const { call, merchant, session } = await signIn(server(), await server().createMerchant('Ada’s Books'));

  for (const mode of ['test', 'live'] as const) {
    const response = await call(path, { mode });

    t.is(response.status, 200);
    const { createdAt, ...settings } = await response.json();
    t.deepEqual(settings, {
      merchantId: merchant.id,
      name: 'Ada’s Books',
      currency: 'NGN',
      transferFee: 0,
      logoUrl: null,
      colour: null,
      termsUrl: null,
      supportUrl: null,
      supportEmail: null,
      statementName: null,
    });
    t.true(createdAt <= session.createdAt);
  }
});

test('200 returns the current fee of a transfer', async (t) => {
  const { call, merchant } = await signIn(server());

  await chargeFee(server(), merchant, 25);

  t.is((await (await call(path)).json()).transferFee, 25);
});
