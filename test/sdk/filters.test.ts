/** A filter that chooses nothing must not list everything. */
import { inspect } from 'node:util';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import { ApiError, type Tillhook, type TillhookError, ValidationError } from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { serve } from './scripted-server.ts';

const server = serverForFile();
const { operations } = readContract().model;
const takesList = ({ parameters }: ModelOperation) =>
  parameters.flatMap(({ in: place, name, schema }) => (place === 'query' && schema.type === 'array' ? [name] : []));
const filters = operations.flatMap((operation) => takesList(operation).map((name) => ({ operation, name })));

type Lists = Record<string, Record<string, (query: object) => Promise<unknown> & { csv?: () => Promise<unknown> }>>;

test('the contract has lists with filters of several values', (t) => {
  t.true(filters.length >= 5, `${filters.length}`);
});

for (const { operation, name } of filters) {
  test(`${operation.id} sends an empty list of ${name}, also for a CSV file`, async (t) => {
    const { seen, baseUrl } = await serve(t, [{ status: 400, body: {} }]);
    const [resource = '', verb = ''] = operation.sdkMethod?.split('.') ?? [];
    const clients = new TillhookSession({ mode: 'test', baseUrl }) as unknown as Lists;
    const ask = () => clients[resource]?.[verb]?.({ [name]: [] });

    await t.throwsAsync(async () => ask(), { instanceOf: ApiError });
    if (operation.success.csv) await t.throwsAsync(async () => ask()?.csv?.(), { instanceOf: ApiError });

    const address = `${operation.path}?${name}=`;
    t.deepEqual(
      seen.map(({ url }) => url),
      operation.success.csv ? [address, address] : [address],
    );
  });

  for (const value of [null, [null], [undefined], ['completed', undefined]]) {
    test(`${operation.id} is not sent with ${name}: ${inspect(value)}`, async (t) => {
      const { seen, baseUrl } = await serve(t, [{ status: 400, body: {} }]);
      const [resource = '', verb = ''] = operation.sdkMethod?.split('.') ?? [];
      const clients = new TillhookSession({ mode: 'test', baseUrl }) as unknown as Lists;

      t.throws(() => clients[resource]?.[verb]?.({ [name]: value }), {
        instanceOf: TypeError,
        message: /Leave it out/,
      });

      t.is(seen.length, 0);
    });
  }
}

test('the service refuses an empty list by the name of the filter: as a page, page by page, as a file and as a feed', async (t) => {
  const { client } = await server().createMerchant();
  const nothing = { status: [] as const };
  const event = { event: [] as const };
  const asked: [param: string, ask: () => PromiseLike<unknown>][] = [
    ['status', () => client.payments.list(nothing)],
    ['status', () => client.payments.list(nothing).toArray({ max: 10 })],
    ['status', () => client.payments.list(nothing).csv()],
    ['event', () => client.events.list(event)],
    ['event', () => firstOf(client, event)],
  ];

  for (const [param, ask] of asked) {
    const error = await t.throwsAsync(async () => ask(), { instanceOf: ValidationError });
    t.is((error as TillhookError).param, param);
  }
});

async function firstOf(client: Tillhook, query: { event: readonly [] }): Promise<unknown> {
  for await (const event of client.events.follow({ ...query, from: 'oldest' })) return event;
  return undefined;
}
