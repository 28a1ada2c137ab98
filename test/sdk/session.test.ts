/**
 * The client for sessions has the operations that take a session, and the client for keys has those that take a key.
 */
import { type ModelOperation, readContract } from '@tillhook/openapi';
import { Tillhook } from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import test from 'ava';
import { pathOf, schemesOf } from '../support/calls/call-example.ts';
import { apiKey, serve } from './scripted-server.ts';

const { operations } = readContract().model;
const taken = (operation: ModelOperation) => new Set<string>(schemesOf(operation));
const forSessions = operations.filter((one) => taken(one).size === 0 || taken(one).has('dashboardSession'));
const forKeys = operations.filter((one) => taken(one).has('apiKeyHeader') || taken(one).has('bearerAuth'));
const baseUrl = 'http://127.0.0.1:9';

type Method = (...input: unknown[]) => Promise<unknown>;

test('each client has the methods of its operations, and only the client for keys follows events', (t) => {
  t.deepEqual(methodsOf(new TillhookSession({ mode: 'test', baseUrl })), namesOf(forSessions));
  t.deepEqual(methodsOf(new Tillhook(apiKey, { baseUrl })), [...namesOf(forKeys), 'events.follow'].sort());
  t.true(forSessions.length >= 40);
});

for (const operation of forSessions) {
  test(`${operation.id} is sent to the path of the contract, with the mode and without a key`, async (t) => {
    const { seen, baseUrl } = await serve(t, [{ status: 200, body: {} }]);
    const input = inputOf(operation);

    await methodOf(new TillhookSession({ mode: 'live', baseUrl }), operation)(...input);

    const path = pathOf(operation, parametersOf(operation));
    t.like(seen[0], { method: operation.method.toUpperCase(), url: path });
    t.like(seen[0]?.headers, { 'x-service-mode': 'live' });
    t.is(seen[0]?.headers.authorization ?? seen[0]?.headers['x-api-key'], undefined);
    t.is(seen[0]?.headers['x-service-merchant'], undefined);
  });
}

test('every call of an operator names the merchant', async (t) => {
  const { seen, baseUrl } = await serve(t, [{ status: 200, body: { payments: [], total: 0 } }]);
  const merchantId = '019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60';

  await new TillhookSession({ mode: 'test', baseUrl, merchantId }).payments.list();

  t.is(seen[0]?.headers['x-service-merchant'], merchantId);
});

function namesOf(some: ModelOperation[]): string[] {
  return some.map(({ sdkMethod }) => sdkMethod ?? '').sort();
}

function methodsOf(client: object): string[] {
  const resources = Object.entries(client).filter(([, value]) => typeof value === 'object');
  return resources.flatMap(([name, methods]) => Object.keys(methods).map((verb) => `${name}.${verb}`)).sort();
}

function methodOf(client: object, { sdkMethod }: ModelOperation): Method {
  const [resource = '', verb = ''] = sdkMethod?.split('.') ?? [];
  return (client as Record<string, Record<string, Method>>)[resource]?.[verb] as Method;
}

function parametersOf({ parameters }: ModelOperation): Record<string, string> {
  const inPath = parameters.filter((one) => one.in === 'path');
  return Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)]));
}

function inputOf(operation: ModelOperation): unknown[] {
  const parameters = parametersOf(operation);
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameters[name]);
  const [first] = operation.body?.examples.values() ?? [];
  return first ? [...inPath, first.value] : inPath;
}
