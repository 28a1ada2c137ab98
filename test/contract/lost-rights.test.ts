/** A call that waits or streams ends when its caller loses the right to it. */
import { randomBytes } from 'node:crypto';
import { type Context, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { AppError } from '@tillhook/server/src/kit/errors.ts';
import { prepared, write } from '@tillhook/server/src/operation/operation.ts';
import test from 'ava';
import { newIds } from '../support/database/new-ids.ts';
import { insertEvent } from '../support/events/held-event.ts';
import { eventually } from '../support/eventually.ts';
import { startHoldingReceiver } from '../support/receivers/holding-receiver.ts';
import { type JsonResponse, serverForFile, type TestMerchant, type TestServer } from '../support/server/tillhook.ts';
import { createKey, refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile({ ROLE: 'api' });
const feed = '/api/v1/events?order=asc&wait=25';

interface Case {
  /** Begins the call. */
  call(who: { key: string; ada: SignedIn; operator: SignedIn }): Promise<JsonResponse>;
  /** Takes the right away. */
  sql: (who: {
    keyId: string;
    merchant: TestMerchant;
    ada: SignedIn;
    operator: SignedIn;
  }) => [text: string, values: unknown[]];
  refusal: [status: number, code: string];
}

const byKey: Case['call'] = ({ key }) => server().request(feed, { key });

const cases: Record<string, Case> = {
  'its key is revoked': {
    call: byKey,
    sql: ({ keyId }) => ['update api_key set revoked_at = now() where id = $1', [keyId]],
    refusal: [401, 'invalid_api_key'],
  },
  'its key expires': {
    call: byKey,
    sql: ({ keyId }) => ['update api_key set expires_at = now() where id = $1', [keyId]],
    refusal: [401, 'expired_api_key'],
  },
  'its key gets other scopes': {
    call: byKey,
    sql: ({ keyId }) => [`update api_key set scopes = '{payments:read}' where id = $1`, [keyId]],
    refusal: [403, 'insufficient_scope'],
  },
  'its merchant is suspended': {
    call: byKey,
    sql: ({ merchant }) => ['update merchant set suspended_at = now() where id = $1', [merchant.id]],
    refusal: [403, 'merchant_suspended'],
  },
  'its session ends': {
    call: ({ ada }) => ada.call(feed),
    sql: ({ ada }) => [
      'delete from dashboard_session where user_id = (select id from dashboard_user where email = $1)',
      [ada.email],
    ],
    refusal: [401, 'invalid_session'],
  },
  'its user is no operator any more': {
    call: ({ ada, operator }) => operator.call(feed, { headers: { 'x-service-merchant': ada.merchant.id } }),
    sql: ({ operator }) => [`update dashboard_user set role = 'viewer' where email = $1`, [operator.email]],
    refusal: [403, 'role_not_allowed'],
  },
};

for (const [situation, { call, sql, refusal }] of Object.entries(cases)) {
  test.serial(`a call that waits for an event is refused when ${situation}`, async (t) => {
    const merchant = await server().createMerchant();
    const [ada, operator] = [await signIn(server(), merchant), await signIn(server(), undefined, 'operator')];
    const { key, id: keyId } = await createKey(ada);
    const answer = call({ key, ada, operator });
    await eventually(() => server().context.eventWaits.count(), 1);

    await server().database.query(...sql({ keyId, merchant, ada, operator }));
    await insertEvent(t, server(), { merchant });
    server().context.eventWaits.ring({ merchantId: merchant.id, mode: 'test' });

    t.deepEqual(await refusalIn(await answer), refusal);
  });
}

test.serial('a call that waits is refused at its end, too, when there was no event', async (t) => {
  const ada = await signIn(server());
  const { key, id } = await createKey(ada);
  const answer = server().request('/api/v1/events?order=asc&wait=5', { key });
  await eventually(() => server().context.eventWaits.count(), 1);

  await server().database.query('update api_key set revoked_at = now() where id = $1', [id]);

  t.deepEqual(await refusalIn(await answer), [401, 'invalid_api_key']);
});

test.serial('a CSV file is cut off at the next thousand records when its key is revoked', async (t) => {
  const ada = await signIn(server());
  const { key, id } = await createKey(ada);
  const count = 8000;
  await insertLargePayments(server(), ada.merchant, count);
  // The client of the tests would read the whole file before it returns.
  const headers = { authorization: `Bearer ${key}`, accept: 'text/csv' };
  const response = await fetch(`${server().url}/api/v1/payments`, { headers });
  const reader = response.body?.getReader();
  await reader?.read();

  await server().database.query('update api_key set revoked_at = now() where id = $1', [id]);

  let lines = 0;
  const readAll = async () => {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      lines += String(Buffer.from(piece.value)).split('\r\n').length - 1;
    }
  };
  await t.throwsAsync(readAll);
  t.true(lines < count, `${lines}`);
});

/** Each is of four kilobytes, so that a few thousand are more than what the operating system takes before they are read. */
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

test.serial('the answer to a test event is refused when the key was revoked while the receiver worked', async (t) => {
  const ada = await signIn(server());
  const { key, id } = await createKey(ada);
  const receiver = await startHoldingReceiver(t);
  receiver.hold();
  const endpoint = await ada.merchant.client.webhookEndpoints.register({ url: receiver.url });
  const answer = server().request(`/api/v1/merchant-webhooks/${endpoint.id}/test`, { method: 'POST', key });
  await eventually(() => receiver.held, 1);

  await server().database.query('update api_key set revoked_at = now() where id = $1', [id]);
  receiver.answerAll();

  t.deepEqual(await refusalIn(await answer), [401, 'invalid_api_key']);
});

test('work before a transaction is followed by a check of the caller, and a refused caller changes nothing', async (t) => {
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
  const context = { ...withFreshEntityManager(server().context), principal, checkCallerAgain } as Context;
  const note = (step: string) => async () => void steps.push(step);
  const change = note('change') as () => Promise<never>;
  const call = { id: 'uploadLogo', key: null } as never;
  const input = {} as never;

  const uploads = prepared<'uploadLogo', void>(note('prepare'), change, { audited: () => null });
  const advances = write<'testAdvanceTime'>(change, { isInTurn: true, beforeTransaction: note('before') });
  await t.throwsAsync(uploads.run(context, input, call), { message: 'This API key is not valid' });
  await t.throwsAsync(advances.run(context, input, call), { message: 'This API key is not valid' });

  t.deepEqual(steps, ['prepare', 'check', 'before', 'check']);
});
