import './unobserved.ts';
import { randomUUID } from 'node:crypto';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import test from 'ava';
import { credentialHeaders, schemesOf } from '../support/calls/call-example.ts';
import { contractFetch } from '../support/server/contract-fetch.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';

/** With this `publicUrl`, links keep the URL of the examples, so that answers equal the examples. */
const mock = await startMockInRun({ publicUrl: 'http://localhost:3000' });
test.after.always(() => mock.stop());

const { operations } = readContract().model;

/** `npm test` requests only the last example of each answer. */
type ExampleChoice = 'the last example' | 'the other examples';

export function testDefaultAnswers(): void {
  for (const operation of operations) {
    const { successStatus } = operation;

    test(`${successStatus} ${operation.id} by default, as the contract describes the answer`, async (t) => {
      for (const headers of credentialsOf(operation)) {
        const answer = await call(operation, { headers });

        t.is(answer.status, successStatus);
        t.regex(answer.headers.get('x-request-id') ?? '', /^req_/);
        t.is(answer.headers.get('idempotent-replayed'), null);
      }
    });
  }
}

export function testPreferredAnswers(choice: ExampleChoice): void {
  for (const operation of operations) {
    for (const [code, { content }] of operation.answers) {
      const examples = [...(content?.examples.values() ?? [])];
      const these = choice === 'the last example' ? examples.slice(-1) : examples.slice(0, -1);
      if (choice === 'the other examples' && these.length === 0) continue;

      test(`${code} ${operation.id} when the caller prefers this answer, with ${choice}`, async (t) => {
        if (choice === 'the last example') {
          const first = await call(operation, { headers: {}, prefer: `code=${code}` });
          t.is(first.status, code);
          if (!content) t.is(await first.text(), '');
        }

        for (const { name, value } of these) {
          const answer = await call(operation, { headers: {}, prefer: `code=${code}, example=${name}` });

          t.is(answer.status, code);
          t.deepEqual(await answer.json(), value);
        }
      });
    }
  }
}

interface Call {
  headers: Record<string, string>;
  prefer?: string;
}

function call(operation: ModelOperation, { headers, prefer = '' }: Call) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathExample(operation, name)));
  const [example] = operation.body?.examples.values() ?? [];
  const body = example && JSON.stringify(withNewReference(example.value));
  return inTurn(() =>
    contractFetch(`${mock.url}${path}`, {
      method: operation.method.toUpperCase(),
      headers: {
        ...headers,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(prefer && { Prefer: prefer }),
      },
      body,
    }),
  );
}

let free = 64;
const waiting: (() => void)[] = [];

/** All tests of a file begin at once, and a busy mock accepts only 511 new connections before it answers the first. */
async function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** A reference can be used only once, and the wallets hold too little for repeated calls with the example's amount. */
function withNewReference(body: unknown): unknown {
  const fresh = { reference: randomUUID(), amount: 1 };
  const replaced = Object.entries(fresh).filter(([name]) => Object.hasOwn(Object(body), name));
  return { ...Object(body), ...Object.fromEntries(replaced) };
}

function credentialsOf(operation: ModelOperation): Record<string, string>[] {
  const ways = schemesOf(operation).map((scheme) => credentialHeaders(scheme, 'sk_test_mock'));
  return ways.length > 0 ? ways : [{}];
}

function pathExample({ parameters }: ModelOperation, name: string): string {
  return String(parameters.find((parameter) => parameter.name === name)?.example);
}
