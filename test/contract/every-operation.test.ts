/** What holds for every operation alike, asked of each operation of the contract, also of those yet to come. */
import { type ContractOperation, operationsOf, readContract } from '@tillhook/openapi';
import test from 'ava';
import { type JsonResponse, serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const operations = operationsOf(readContract().document);

const takesApiKeyHeader = ({ definition }: ContractOperation) =>
  definition.security?.some((scheme: object) => 'apiKeyHeader' in scheme) ?? false;
const keyHeader = (operation: ContractOperation, key: string): Record<string, string> =>
  takesApiKeyHeader(operation) ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
const pathOf = ({ path }: ContractOperation) =>
  path.replace('{id}', '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60').replace('{reference}', 'order-1042');

function call(operation: ContractOperation, headers: Record<string, string>): Promise<JsonResponse> {
  const json = operation.definition.requestBody && {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(
      Object.values<{ value: unknown }>(operation.definition.requestBody.content['application/json'].examples)[0]
        ?.value,
    ),
  };
  return server().request(pathOf(operation), { method: operation.method.toUpperCase(), headers, ...json });
}

for (const operation of operations) {
  test(`401 when the key is missing: ${operation.id}`, async (t) => {
    const response = await call(operation, {});

    t.is(response.status, 401);
    t.is((await response.json()).error.code, 'missing_api_key');
    t.truthy(response.headers.get('www-authenticate'));
  });

  test(`401 when the key is nobody's: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const swapped = testKey.slice(0, -1) + (testKey.endsWith('A') ? 'B' : 'A');

    for (const key of ['sk_test_junk', swapped, 'é']) {
      const response = await call(operation, keyHeader(operation, encodeURIComponent(key)));

      t.is(response.status, 401);
      t.is((await response.json()).error.code, 'invalid_api_key');
    }
  });

  test(`401 when the key is in the other header: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const other: Record<string, string> = takesApiKeyHeader(operation)
      ? { authorization: `Bearer ${testKey}` }
      : { 'x-api-key': testKey };

    const response = await call(operation, other);

    t.is(response.status, 401);
    t.is((await response.json()).error.code, 'wrong_auth_header');
  });

  test(`405 with Allow for a method that the address does not have: ${operation.id}`, async (t) => {
    const response = await server().request(pathOf(operation), { method: 'PUT' });

    t.is(response.status, 405);
    t.true(response.headers.get('allow')?.split(', ').includes(operation.method.toUpperCase()));
    t.is((await response.json()).error.code, 'method_not_allowed');
  });

  test(`400 when a query parameter is unknown: ${operation.id}`, async (t) => {
    const { testKey } = await server().createMerchant();
    const response = await call({ ...operation, path: `${operation.path}?colour=red` }, keyHeader(operation, testKey));

    t.is(response.status, 400);
    t.like((await response.json()).error, { code: 'unknown_parameter', param: 'colour' });
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

test('the server offers an operation for each of the contract', (t) => {
  t.is(new Set(operations.map(({ id }) => id)).size, operations.length);
  t.true(operations.length >= 9);
});
