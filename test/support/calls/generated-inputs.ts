/**
 * A valid request about existing rows must get a 2xx response. A request with one mistake must be refused, and the
 * error must point to the mistake. FAST_CHECK_SEED replaces the fixed seed of a test file.
 */
import { type ModelOperation, type ModelParameter, readContract, type Schema } from '@tillhook/openapi';
import test from 'ava';
import fc from 'fast-check';
import { serverForFile } from '../server/tillhook.ts';
import { callOperation, headersFor, pathOf } from './call-example.ts';
import { type Input, realInputs } from './real-inputs.ts';
import { mistakesOf, validValue, wrongValues } from './schema-arbitraries.ts';

const server = serverForFile();

interface Extent {
  valid: number;
  /** `one of each field` tests one mistake for each field, and `the others` tests all the other mistakes. */
  mistakes: 'one of each field' | 'the others';
  usualSeed: number;
}

export function testGeneratedInputs({ valid, mistakes, usualSeed }: Extent): void {
  const seed = Number(process.env.FAST_CHECK_SEED ?? usualSeed);
  for (const operation of readContract().model.operations) {
    const { parameters } = operation;
    const body = operation.body?.schema;

    test.serial(`${operation.id} accepts a valid request about existing rows`, async (t) => {
      const request = fc.record({
        query: fc.record(valuesOf(parameters, 'query'), { requiredKeys: [] }),
        body: body ? validValue(body) : fc.constant(undefined),
      });
      const path = fc.record(valuesOf(parameters, 'path'));

      await fc.assert(
        fc.asyncProperty(path, request, async (generatedPath, generated) => {
          const merchant = await server().createMerchant();
          const headers = await headersFor(server(), operation, merchant);
          const given = generated as Pick<Input, 'query' | 'body'>;
          const real = await realInputs[operation.id]({ server: server(), merchant, ...given });

          const inMode = real.mode ? { ...headers, 'x-service-mode': real.mode } : headers;
          const response = await send(operation, inMode, {
            path: pathOf(operation, { ...(generatedPath as Record<string, string>), ...real.path }),
            query: withoutCursor({ ...given.query, ...real.query }),
            body: given.body && { ...given.body, ...real.body },
          });

          if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
        }),
        {
          seed,
          numRuns: hashesPassword(body) ? Math.min(valid, 3) : valid,
          endOnFailure: true,
          includeErrorInReport: true,
        },
      );
      t.pass();
    });

    // Refused requests change no rows, so all refused requests of an operation can share one merchant.
    let refused: ReturnType<typeof headersFor> | undefined;
    const headersOfRefused = () => {
      refused ??= server()
        .createMerchant()
        .then((merchant) => headersFor(server(), operation, merchant));
      return refused;
    };

    const made = <Mistake>(of: Mistake[], index: number) =>
      of.filter((_, place) => (place === index % of.length) === (mistakes === 'one of each field'));
    const chosen = [...Map.groupBy(body ? mistakesOf(body) : [], ({ pointer }) => pointer).values()].flatMap(made);
    for (const { pointer, how, apply } of chosen) {
      test.serial(`${operation.id} 400 for a body in which ${how}`, async (t) => {
        const headers = await headersOfRefused();
        const [valid] = fc.sample(body ? validValue(body) : fc.constant({}), { seed, numRuns: 1 });

        const response = await send(operation, headers, { body: apply(valid) });

        t.is(response.status, 400);
        const { error } = await response.json();
        t.true(named(error).includes(pointer), JSON.stringify(error));
      });
    }

    for (const [index, { name, schema }] of parameters.filter((parameter) => parameter.in === 'query').entries()) {
      for (const [how, wrong] of made(
        wrongValues(schema).filter(([, value]) => isSendable(value)),
        index,
      )) {
        test.serial(`${operation.id} 400 for a query in which ${name} ${how}`, async (t) => {
          const headers = await headersOfRefused();

          const response = await send(operation, headers, { query: { [name]: wrong } });

          t.is(response.status, 400);
          t.true(named((await response.json()).error).includes(`/${name}`));
        });
      }
    }
  }
}

/** Hashing a password is slow on purpose, so the test sends fewer requests. */
function hashesPassword(body: Schema | undefined): boolean {
  return 'password' in (body?.properties ?? {});
}

/** `after` must be the id of an existing record, and `wait` would delay the response. */
function withoutCursor(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'after' && name !== 'wait'));
}

interface Sent {
  path?: string;
  query?: Record<string, unknown>;
  body?: unknown;
}

function send(operation: ModelOperation, headers: Record<string, string>, { path, query = {}, body }: Sent) {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  );
  return callOperation(server(), operation, {
    headers,
    path: `${path ?? pathOf(operation)}${search.size > 0 ? `?${search}` : ''}`,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function named({ details }: { details: { path: string }[] }): string[] {
  return details.map(({ path }) => `/${path.split('/')[1]}`);
}

function isSendable(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.isWellFormed());
}

function valuesOf(parameters: readonly ModelParameter[], place: 'path' | 'query') {
  const here = parameters.filter((parameter) => parameter.in === place);
  return Object.fromEntries(here.map(({ name, schema }) => [name, validValue(schema)]));
}
