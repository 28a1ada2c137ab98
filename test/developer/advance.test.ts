import test from 'ava';
import { environmentOf, runDeveloper } from '../support/server/developer.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const env = { TILLHOOK_API_KEY: 'sk_test_any', TILLHOOK_BASE_URL: 'http://localhost:1' };

test('a duration without a unit, with an unknown unit or beyond 30 days is refused before any call', async (t) => {
  for (const duration of ['90', '2x', 'soon', '31d', '0s', '99999d']) {
    const end = await runDeveloper(env, 'advance', duration);
    t.is(end.code, 2, duration);
    t.regex(end.stderr, /^The duration (must be|is too long).*\n(Write it as 90s|Call the command several times).*\n$/);
  }
});

test('time moves on, and what moved is said', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.checkout.create({ email: 'ada@example.com', amount: 700, reference: 'order-1042' });
  const { expiresAt } = await merchant.client.payments.get('order-1042');
  const own = environmentOf(server(), merchant);

  const idle = await runDeveloper(environmentOf(server(), await server().createMerchant()), 'advance', '90s');
  const told = await runDeveloper(own, 'advance', '90s');
  const json = await runDeveloper(own, 'advance', '10m', '--json');

  t.is(told.stdout, 'Test time moved on by 90s. Came nearer: 1 expiry of a checkout.\n');
  t.is(idle.stdout, 'Test time moved on by 90s. Nothing in test mode waits for a time.\n');
  t.like(JSON.parse(json.stdout), { seconds: 600, moved: { checkouts: 1, refunds: 0 } });
  const { expiresAt: nearer } = await merchant.client.payments.get('order-1042');
  t.is(Date.parse(expiresAt) - Date.parse(nearer), 690_000);
});
