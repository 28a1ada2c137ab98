/** The tests are made from the contract, so a new operation needs no change here. */
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import {
  callOperation,
  credentialHeaders,
  credentialOf,
  headersFor,
  pathOf,
  roleOf,
  schemes,
  schemesOf,
} from '../support/calls/call-example.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const operations = readContract().model.operations;

const errorCodes = {
  apiKeyHeader: { missing: 'missing_api_key', unknown: 'invalid_api_key' },
  bearerAuth: { missing: 'missing_api_key', unknown: 'invalid_api_key' },
  dashboardSession: { missing: 'invalid_session', unknown: 'invalid_session' },
};

for (const operation of operations) {
  const taken = schemesOf(operation);
  const [usual] = taken;
  const { scope } = operation;

  test(`400 when a query parameter is unknown: ${operation.id}`, async (t) => {
    const headers = await headersFor(server(), operation, await server().createMerchant());
    const path = `${pathOf(operation)}?colour=red&size=xl`;

    const response = await callOperation(server(), operation, { headers, path });

    t.is(response.status, 400);
    const { error } = await response.json();
    t.like(error, { code: 'unknown_parameter', param: 'colour' });
    t.deepEqual(
      error.details.map(({ path: pointer }: { path: string }) => pointer),
      ['/colour', '/size'],
    );
  });

  if (usual) {
    test(`401 when the credential is missing: ${operation.id}`, async (t) => {
      const response = await callOperation(server(), operation, {});

      t.is(response.status, 401);
      t.is((await response.json()).error.code, errorCodes[usual].missing);
      t.truthy(response.headers.get('www-authenticate'));
    });
  }

  const notTaken = usual ? schemes.filter((name) => !taken.includes(name)) : [];
  if (usual && notTaken.length > 0) {
    test(`401 when the credential is of a kind that the operation does not accept: ${operation.id}`, async (t) => {
      const merchant = await server().createMerchant();

      for (const scheme of notTaken) {
        const headers = credentialHeaders(scheme, await credentialOf(server(), merchant, { scheme }));
        const response = await callOperation(server(), operation, { headers });

        t.is(response.status, 401, scheme);
        const code = scheme === 'dashboardSession' ? errorCodes[usual].missing : 'wrong_auth_header';
        t.is((await response.json()).error.code, code, scheme);
      }
    });
  }

  for (const scheme of taken) {
    test(`401 when the credential is unknown: ${operation.id}, ${scheme}`, async (t) => {
      const credential = await credentialOf(server(), await server().createMerchant(), { scheme });
      const swapped = credential.slice(0, -1) + (credential.endsWith('A') ? 'B' : 'A');

      for (const unknown of ['sk_test_junk', swapped, encodeURIComponent('é')]) {
        const response = await callOperation(server(), operation, { headers: credentialHeaders(scheme, unknown) });

        t.is(response.status, 401);
        t.is((await response.json()).error.code, errorCodes[scheme].unknown);
      }
    });

    // Operators work for the service, so they keep their access when the merchant of their account is suspended.
    if (roleOf(operation) === 'operator') continue;

    test(`403 when the merchant is suspended: ${operation.id}, ${scheme}`, async (t) => {
      const merchant = await server().createMerchant();
      const headers = credentialHeaders(scheme, await credentialOf(server(), merchant, { scheme }));
      await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);

      const response = await callOperation(server(), operation, { headers });

      t.is(response.status, 403);
      t.is((await response.json()).error.code, 'merchant_suspended');
    });
  }

  if (scope) {
    test(`403 when the key lacks the scope: ${operation.id}`, async (t) => {
      const merchant = await server().createMerchant();
      await server().database.query(
        `update api_key set scopes = array_remove(
           '{checkout:write,payments:read,transfers:read,transfers:write,webhooks:read,webhooks:write,products:read,products:write}'::text[],
           $2) where merchant_id = $1`,
        [merchant.id, scope],
      );

      const response = await callOperation(server(), operation, {
        headers: await headersFor(server(), operation, merchant),
      });

      t.is(response.status, 403);
      const { error, message } = await response.json();
      t.is(error.code, 'insufficient_scope');
      t.true(message.includes(scope));
    });
  }

  test(`405 with the header Allow for a method that the path does not have: ${operation.id}`, async (t) => {
    const response = await server().request(pathOf(operation), { method: 'PUT' });

    t.is(response.status, 405);
    t.true(response.headers.get('allow')?.split(', ').includes(operation.method.toUpperCase()));
    t.is((await response.json()).error.code, 'method_not_allowed');
  });

  if (!operation.body) continue;

  if (operation.body.isRequired) {
    test(`400 when the body is empty: ${operation.id}`, async (t) => {
      const credential = await headersFor(server(), operation, await server().createMerchant());
      const headers = { ...credential, 'content-type': 'application/json' };

      const response = await callOperation(server(), operation, { headers, body: '' });

      t.is(response.status, 400);
      t.is((await response.json()).error.code, 'invalid_json');
    });
  }

  test(`413 when the body is larger than its limit: ${operation.id}`, async (t) => {
    const headers = await headersFor(server(), operation, await server().createMerchant());
    const body = JSON.stringify({ padding: 'x'.repeat(operation.bodyLimit ?? 100 * 1024) });

    const response = await callOperation(server(), operation, { headers, body });

    t.is(response.status, 413);
    t.is((await response.json()).error.code, 'payload_too_large');
  });

  test(`415 when the Content-Type is not JSON: ${operation.id}`, async (t) => {
    const credential = await headersFor(server(), operation, await server().createMerchant());
    const headers = { ...credential, 'content-type': 'application/xml' };

    const response = await callOperation(server(), operation, { headers });

    t.is(response.status, 415);
    t.is((await response.json()).error.code, 'unsupported_media_type');
  });
}

test('404 for a path that does not exist', async (t) => {
  const { testKey } = await server().createMerchant();

  for (const path of ['/api/v1/payouts', '/api/v2/payments', '/nothing']) {
    const response = await server().request(path, { key: testKey });

    t.is(response.status, 404);
    t.is((await response.json()).error.code, 'route_not_found');
  }
});

test('every answer has a different request id', async (t) => {
  const responses = await Promise.all([1, 2].map(() => server().request('/api/v1/payments')));
  const bodies = await Promise.all(responses.map((response) => response.json()));

  const ids = responses.map((response) => response.headers.get('x-request-id'));
  t.deepEqual(
    ids,
    bodies.map(({ requestId }) => requestId),
  );
  t.not(ids[0], ids[1]);
});

test('a HEAD request gets the answer of a GET request, without a body', async (t) => {
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
