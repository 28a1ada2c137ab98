import { randomBytes } from 'node:crypto';
import { type Mode, type ModelOperation, type OperationId, readContract } from '@tillhook/openapi';
import { type Context, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { AppError } from '@tillhook/server/src/kit/errors.ts';
import { write } from '@tillhook/server/src/operation/operation.ts';
import test from 'ava';
import {
  callOperation,
  credentialHeaders,
  pathOf,
  roleOf,
  type Scheme,
  schemesOf,
} from '../support/calls/call-example.ts';
import { newIds } from '../support/database/new-ids.ts';
import { insertEvent } from '../support/events/held-event.ts';
import { eventually } from '../support/eventually.ts';
import { startHoldingReceiver } from '../support/receivers/holding-receiver.ts';
import {
  type JsonResponse,
  serverForFile,
  serverWithContext,
  type TestMerchant,
  type TestServer,
} from '../support/server/tillhook.ts';
import { addPasskey } from '../support/users/passkeys.ts';
import { createKey, errorIn, keysOf, type SignedIn, signIn } from '../support/users/session.ts';
import { invite } from '../support/users/team.ts';
import { password } from '../support/users/users.ts';

const server = serverForFile();

/** Request bodies for operations that would refuse the example in the contract. */
const bodies: Partial<Record<OperationId, object>> = { revealWebhookSecret: { password } };

async function createEverything(signedIn: SignedIn): Promise<Record<string, Record<string, string>>> {
  const { client } = signedIn.merchant;
  await client.testHelpers.fundWallet({ amount: 1000 });
  const endpoint = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'owned-1' });
  await client.testHelpers.completePayment('owned-1');
  const transfer = await client.transfers.create({
    reference: 'owned-2',
    amount: 1,
    recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' },
  });
  const refund = await client.refunds.create('owned-1');
  const product = await client.products.create({ name: 'A book', price: 500 });
  const link = await client.paymentLinks.create({ name: 'A book', amount: 500 });
  await eventually(
    async () => (await client.deliveries.list()).total,
    (seen) => seen > 0,
  );
  const [delivery] = (await client.deliveries.list()).deliveries;
  const [event] = (await client.events.list()).events;
  const [customer] = (await client.customers.list()).customers;
  const [key] = (await keysOf(signedIn)).apiKeys;
  const invitation = await invite(signedIn.server, signedIn.merchant);
  const [record] = (await (await signedIn.call('/api/v1/dashboard/sessions')).json()).sessions;
  return {
    '/api/v1/payments/': { reference: 'owned-1' },
    '/api/v1/test-helpers/payments/': { reference: 'owned-1' },
    '/api/v1/merchant-webhooks/': { id: endpoint.id },
    '/api/v1/webhook-deliveries/': { id: delivery?.id ?? '' },
    '/api/v1/events/': { id: event?.id ?? '' },
    '/api/v1/refunds/': { reference: refund.reference },
    '/api/v1/transfers/': { reference: transfer.reference },
    '/api/v1/storefront/products/': { id: product.id },
    '/api/v1/payment-links/': { id: link.id },
    '/api/v1/customers/': { id: customer?.id ?? '' },
    '/api/v1/dashboard/payments/': { reference: 'owned-1' },
    '/api/v1/dashboard/merchant-webhooks/': { id: endpoint.id },
    '/api/v1/dashboard/api-keys/': { id: key?.id ?? '' },
    '/api/v1/dashboard/passkeys/': { id: (await addPasskey(signedIn)).passkeyId },
    '/api/v1/dashboard/sessions/': { id: record?.id ?? '' },
    '/api/v1/dashboard/team-invitations/': { id: invitation.id },
    '/api/v1/dashboard/team/': { id: signedIn.session.user.id },
  };
}

test('a caller of another merchant or of the other mode can neither read nor change a resource', async (t) => {
  const [owner, stranger] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const signedIn = await signIn(server(), owner);
  const everything = await createEverything(signedIn);
  const state = async () => ({
    payment: await owner.client.payments.get('owned-1'),
    webhooks: (await owner.client.webhookEndpoints.list()).webhooks.map(({ id, url, isActive }) => [id, url, isActive]),
    products: (await owner.client.storefront.listProducts()).products,
    links: (await owner.client.paymentLinks.list()).paymentLinks,
    deliveries: (await owner.client.deliveries.list()).total,
    keys: (await keysOf(signedIn)).apiKeys.map(({ id, expiresAt, revokedAt }) => [id, expiresAt, revokedAt]),
  });
  await eventually(async () => (await owner.client.transfers.get('owned-2')).status, 'completed');
  const before = await state();
  const named = readContract().model.operations.filter(
    (operation) => /\{(id|reference)\}/.test(operation.path) && roleOf(operation) !== 'operator',
  );
  const callers = { stranger: await callerOf(stranger, 'test'), 'other mode': await callerOf(owner, 'live') };

  // Both modes have the same team and invitations.
  const callersOf = ({ path }: ModelOperation) =>
    Object.entries(callers).filter(([who]) => who === 'stranger' || !path.includes('/team'));

  for (const operation of named) {
    const [, parameters] = Object.entries(everything).find(([start]) => operation.path.startsWith(start)) ?? [];
    if (!parameters) return t.fail(`No resource was created for ${operation.path}.`);
    for (const [who, headersOf] of callersOf(operation)) {
      for (const scheme of schemesOf(operation)) {
        const response = await callOperation(server(), operation, {
          headers: headersOf(scheme),
          path: pathOf(operation, parameters),
          ...(operation.id in bodies && { body: JSON.stringify(bodies[operation.id]) }),
        });

        const { error } = await response.json();
        const isTestHelper = operation.path.includes('/test-helpers/') && who === 'other mode';
        const expected = isTestHelper ? 'test_mode_only' : 'resource_not_found';
        t.is(error?.code, expected, `${operation.id}, ${who}, ${scheme}`);
      }
    }
  }
  t.true(named.length >= 18);
  t.deepEqual(await state(), before);
});

async function callerOf(merchant: TestMerchant, mode: Mode): Promise<(scheme: Scheme) => Record<string, string>> {
  const { cookie } = await signIn(server(), merchant);
  const session = cookie.replace('tillhook_session=', '');
  const key = mode === 'test' ? merchant.testKey : merchant.liveKey;
  return (scheme) => credentialHeaders(scheme, scheme === 'dashboardSession' ? session : key, mode);
}

const withoutJobs = serverWithContext({ ROLE: 'api' });
const feed = '/api/v1/events?order=asc&wait=25';

interface Case {
  call(who: { key: string; ada: SignedIn; operator: SignedIn }): Promise<JsonResponse>;
  sql: (who: {
    keyId: string;
    merchant: TestMerchant;
    ada: SignedIn;
    operator: SignedIn;
  }) => [text: string, values: unknown[]];
  error: [status: number, code: string];
}

const byKey: Case['call'] = ({ key }) => withoutJobs().request(feed, { key });

const cases: Record<string, Case> = {
  'its key is revoked': {
    call: byKey,
    sql: ({ keyId }) => ['update api_key set revoked_at = now() where id = $1', [keyId]],
    error: [401, 'invalid_api_key'],
  },
  'its key expires': {
    call: byKey,
    sql: ({ keyId }) => ['update api_key set expires_at = now() where id = $1', [keyId]],
    error: [401, 'expired_api_key'],
  },
  'its key gets other scopes': {
    call: byKey,
    sql: ({ keyId }) => [`update api_key set scopes = '{payments:read}' where id = $1`, [keyId]],
    error: [403, 'insufficient_scope'],
  },
  'its merchant is suspended': {
    call: byKey,
    sql: ({ merchant }) => ['update merchant set suspended_at = now() where id = $1', [merchant.id]],
    error: [403, 'merchant_suspended'],
  },
  'its session ends': {
    call: ({ ada }) => ada.call(feed),
    sql: ({ ada }) => [
      'delete from dashboard_session where user_id = (select id from dashboard_user where email = $1)',
      [ada.email],
    ],
    error: [401, 'invalid_session'],
  },
  'its user is no longer an operator': {
    call: ({ ada, operator }) => operator.call(feed, { headers: { 'x-service-merchant': ada.merchant.id } }),
    sql: ({ operator }) => [`update dashboard_user set role = 'viewer' where email = $1`, [operator.email]],
    error: [403, 'role_not_allowed'],
  },
};

for (const [situation, { call, sql, error }] of Object.entries(cases)) {
  test.serial(`a call that waits for an event is refused when ${situation}`, async (t) => {
    const merchant = await withoutJobs().createMerchant();
    const [ada, operator] = [await signIn(withoutJobs(), merchant), await signIn(withoutJobs(), undefined, 'operator')];
    const { key, id: keyId } = await createKey(ada);
    const answer = call({ key, ada, operator });
    await eventually(() => withoutJobs().arrange('countHeldCalls', {}), 1);

    await withoutJobs().database.query(...sql({ keyId, merchant, ada, operator }));
    await insertEvent(t, withoutJobs(), { merchant });
    await withoutJobs().arrange('ringHeldCalls', { merchantId: merchant.id, mode: 'test' });

    t.deepEqual(await errorIn(await answer), error);
  });
}

test.serial(
  'a call that waits until its end without an event is refused if its API key was revoked during the wait',
  async (t) => {
    const ada = await signIn(withoutJobs());
    const { key, id } = await createKey(ada);
    const answer = withoutJobs().request('/api/v1/events?order=asc&wait=5', { key });
    await eventually(() => withoutJobs().arrange('countHeldCalls', {}), 1);

    await withoutJobs().database.query('update api_key set revoked_at = now() where id = $1', [id]);

    t.deepEqual(await errorIn(await answer), [401, 'invalid_api_key']);
  },
);

test.serial('a CSV file breaks off at the next thousand records when the API key of its call is revoked', async (t) => {
  const ada = await signIn(withoutJobs());
  const { key, id } = await createKey(ada);
  const count = 8000;
  await insertLargePayments(withoutJobs(), ada.merchant, count);
  // The client of the tests would read the whole CSV file before it returns.
  const headers = { authorization: `Bearer ${key}`, accept: 'text/csv' };
  const response = await fetch(`${withoutJobs().url}/api/v1/payments`, { headers });
  const reader = response.body?.getReader();
  await reader?.read();

  await withoutJobs().database.query('update api_key set revoked_at = now() where id = $1', [id]);

  let lines = 0;
  const readAll = async () => {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      lines += String(Buffer.from(piece.value)).split('\r\n').length - 1;
    }
  };
  await t.throwsAsync(readAll);
  t.true(lines < count, `${lines}`);
});

/**
 * The metadata of each payment has four kilobytes, so that a few thousand payments exceed the socket buffers of the
 * operating system.
 */
function insertLargePayments({ database }: TestServer, { id }: TestMerchant, count: number) {
  return database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata,
       attempts, expires_at, created_at, updated_at)
     select new_id, $1, 'test', 'order-' || n, gen_random_uuid(), n, 'NGN', 'expired', 'ada@example.com',
       jsonb_build_object('note', $3::text), 0, now(), now(), now()
     from unnest($2::uuid[]) with ordinality as given (new_id, n)`,
    [id, newIds(count), randomBytes(2000).toString('hex')],
  );
}

test.serial('sendTestEvent is refused when the key is revoked before the receiver answers', async (t) => {
  const ada = await signIn(withoutJobs());
  const { key, id } = await createKey(ada);
  const receiver = await startHoldingReceiver(t);
  receiver.hold();
  const endpoint = await ada.merchant.client.webhookEndpoints.register({ url: receiver.url });
  const answer = withoutJobs().request(`/api/v1/merchant-webhooks/${endpoint.id}/test`, { method: 'POST', key });
  await eventually(() => receiver.held, 1);

  await withoutJobs().database.query('update api_key set revoked_at = now() where id = $1', [id]);
  receiver.answerAll();

  t.deepEqual(await errorIn(await answer), [401, 'invalid_api_key']);
});

test('after slow work that precedes a transaction, the server checks the caller again, and a caller without access changes nothing', async (t) => {
  const steps: string[] = [];
  const checkCallerAgain = async () => {
    steps.push('check');
    throw new AppError('invalid_api_key', 'This API key is not valid');
  };
  const principal = {
    merchantId: '',
    mode: 'test',
    currency: 'NGN',
    scopes: null,
    actor: { type: 'key', apiKeyId: '' },
  };
  const context = { ...withFreshEntityManager(withoutJobs().context), principal, checkCallerAgain } as Context;
  const note = (step: string) => async () => void steps.push(step);
  const change = note('change') as () => Promise<never>;
  const call = { id: 'uploadLogo', key: null } as never;
  const input = {} as never;

  const uploads = write<'uploadLogo'>(change, { before: note('prepare'), audited: () => null });
  const advances = write<'testAdvanceTime'>(change, { isInTurn: true, before: note('before') });
  await t.throwsAsync(uploads.run(context, input, call), { message: 'This API key is not valid' });
  await t.throwsAsync(advances.run(context, input, call), { message: 'This API key is not valid' });

  t.deepEqual(steps, ['prepare', 'check', 'before', 'check']);
});
