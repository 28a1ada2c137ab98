/** What holds for every operation alike, asked of each operation of the contract, also of those yet to come. */
import { operationsOf, readContract } from '@tillhook/openapi';
import test from 'ava';
import { callAs, callExample, keyHeader, pathOf, takesApiKeyHeader } from '../support/call-example.ts';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const operations = operationsOf(readContract().document);

for (const operation of operations) {
  const scope: string | undefined = operation.definition['x-required-scope'];

  test(`400 when a query parameter is unknown: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const path = `${pathOf(operation)}?colour=red&size=xl`;

    const response = await callAs(server(), operation, { headers: keyHeader(operation, testKey), path });

    t.is(response.status, 400);
    const { error } = await response.json();
    t.like(error, { code: 'unknown_parameter', param: 'colour' });
    t.deepEqual(
      error.details.map(({ path: pointer }: { path: string }) => pointer),
      ['/colour', '/size'],
    );
  });

  test(`401 when the key is missing: ${operation.id}`, async (t) => {
    const response = await callAs(server(), operation, {});

    t.is(response.status, 401);
    t.is((await response.json()).error.code, 'missing_api_key');
    t.truthy(response.headers.get('www-authenticate'));
  });

  test(`401 when the key is nobody's: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const swapped = testKey.slice(0, -1) + (testKey.endsWith('A') ? 'B' : 'A');

    for (const key of ['sk_test_junk', swapped, 'é']) {
      const response = await callExample(server(), operation, encodeURIComponent(key));

      t.is(response.status, 401);
      t.is((await response.json()).error.code, 'invalid_api_key');
    }
  });

  test(`401 when the key is in the other header: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const other: Record<string, string> = takesApiKeyHeader(operation)
      ? { authorization: `Bearer ${testKey}` }
      : { 'x-api-key': testKey };

    const response = await callAs(server(), operation, { headers: other });

    t.is(response.status, 401);
    t.is((await response.json()).error.code, 'wrong_auth_header');
  });

  test(`403 when the merchant is suspended: ${operation.id}`, async (t) => {
    const { id, testKey } = await server().createMerchant();
    await server().database.query('update merchant set suspended_at = now() where id = $1', [id]);

    const response = await callExample(server(), operation, testKey);

    t.is(response.status, 403);
    t.is((await response.json()).error.code, 'merchant_suspended');
  });

  if (scope !== undefined) {
    test(`403 when the key lacks the scope: ${operation.id}`, async (t) => {
      const { id, testKey } = await server().createMerchant();
      await server().database.query(
        `update api_key set scopes = array_remove(
           '{checkout:write,payments:read,transfers:read,transfers:write,webhooks:read,webhooks:write,products:read,products:write}'::text[],
           $2) where merchant_id = $1`,
        [id, scope],
      );

      const response = await callExample(server(), operation, testKey);

      t.is(response.status, 403);
      const { error, message } = await response.json();
      t.is(error.code, 'insufficient_scope');
      t.true(message.includes(scope));
    });
  }

  test(`405 with Allow for a method that the address does not have: ${operation.id}`, async (t) => {
    const response = await server().request(pathOf(operation), { method: 'PUT' });

    t.is(response.status, 405);
    t.true(response.headers.get('allow')?.split(', ').includes(operation.method.toUpperCase()));
    t.is((await response.json()).error.code, 'method_not_allowed');
  });

  if (!operation.definition.requestBody) continue;

  test(`413 when the body is larger than 100 KiB: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const body = JSON.stringify({ padding: 'x'.repeat(100 * 1024) });

    const response = await callAs(server(), operation, { headers: keyHeader(operation, testKey), body });

    t.is(response.status, 413);
    t.is((await response.json()).error.code, 'payload_too_large');
  });

  test(`415 when the body is no JSON by its own word: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const headers = { ...keyHeader(operation, testKey), 'content-type': 'application/xml' };

    const response = await callAs(server(), operation, { headers });

    t.is(response.status, 415);
    t.is((await response.json()).error.code, 'unsupported_media_type');
  });
}

test('404 for an address that does not exist', async (t) => {
  const { testKey } = await server().createMerchant();

  for (const path of ['/api/v1/refunds', '/api/v2/payments', '/nothing']) {
    const response = await server().request(path, { key: testKey });

    t.is(response.status, 404);
    t.is((await response.json()).error.code, 'route_not_found');
  }
});

test('every answer carries a request id of its own', async (t) => {
  const responses = await Promise.all([1, 2].map(() => server().request('/api/v1/payments')));
  const bodies = await Promise.all(responses.map((response) => response.json()));

  const ids = responses.map((response) => response.headers.get('x-request-id'));
  t.deepEqual(
    ids,
    bodies.map(({ requestId }) => requestId),
  );
  t.not(ids[0], ids[1]);
});

test('HEAD answers as GET, without a body', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await fetch(`${server().url}/api/v1/payments`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${testKey}` },
  });

  t.is(response.status, 200);
  t.is(await response.text(), '');
});

test('all problems of a request are reported at once', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await server().request('/api/v1/payments/checkout?colour=red', {
    method: 'POST',
    headers: { 'x-api-key': testKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 0, description: 'a\u0000b', metadata: { cart: '\ud800' }, colour: 'red' }),
  });

  t.is(response.status, 400);
  const { error } = await response.json();
  const places = error.details.map(({ path }: { path: string }) => path);
  t.deepEqual([...new Set(places)].sort(), ['/amount', '/colour', '/description', '/email', '/metadata/cart']);
});
