import './unobserved.ts';
import { startMock } from '@tillhook/mock/api';
import { type ContractDocument, type ContractOperation, follow, operationsOf, readContract } from '@tillhook/openapi';
import test from 'ava';
import { credentialHeaders, schemesOf } from '../support/call-example.ts';
import { contractFetch } from '../support/contract-fetch.ts';

const { document } = readContract();
const mock = await startMock();
test.after.always(() => mock.stop());

for (const operation of operationsOf(document)) {
  const [status] = successOf(operation);

  test(`${status} ${operation.id} by default, as the contract describes it`, async (t) => {
    for (const headers of credentialsOf(operation)) {
      const answer = await call(operation, { headers });

      t.is(answer.status, Number(status));
      t.regex(answer.headers.get('x-request-id') ?? '', /^req_/);
      t.is(answer.headers.get('idempotent-replayed'), null);
    }
  });

  for (const [code, response] of Object.entries<ContractDocument>(operation.definition.responses)) {
    const documented = follow(document, response);
    const examples = documented.content?.['application/json'].examples ?? {};

    test(`${code} ${operation.id} when the caller prefers it, and each of its examples`, async (t) => {
      const first = await call(operation, { headers: {}, prefer: `code=${code}` });
      t.is(first.status, Number(code));
      if (!documented.content) t.is(await first.text(), '');

      for (const [name, { value }] of Object.entries<ContractDocument>(examples)) {
        const answer = await call(operation, { headers: {}, prefer: `code=${code}, example=${name}` });

        t.is(answer.status, Number(code));
        t.deepEqual(await answer.json(), value);
      }
    });
  }
}

interface Call {
  headers: Record<string, string>;
  prefer?: string;
}

function call(operation: ContractOperation, { headers, prefer = '' }: Call) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathExample(operation, name)));
  const body = operation.definition.requestBody && JSON.stringify(firstExample(operation.definition.requestBody));
  return contractFetch(`${mock.url}${path}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...headers,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(prefer && { Prefer: prefer }),
    },
    body,
  });
}

/** Each way to be let in, the usual one first. */
function credentialsOf(operation: ContractOperation): Record<string, string>[] {
  const ways = schemesOf(operation).map((scheme) => credentialHeaders(scheme, 'sk_test_mock'));
  return ways.length > 0 ? ways : [{}];
}

function successOf({ definition }: ContractOperation): [status: string, response: ContractDocument] {
  const [success] = Object.entries<ContractDocument>(definition.responses).filter(([status]) => status.startsWith('2'));
  if (!success) throw new Error(`${definition.operationId} documents no success`);
  return success;
}

function firstExample(message: ContractDocument): unknown {
  const [example] = Object.values<ContractDocument>(message.content['application/json'].examples);
  return example?.value;
}

function pathExample({ definition }: ContractOperation, name: string): string {
  return definition.parameters
    .map((parameter: ContractDocument) => follow(document, parameter))
    .find((parameter: ContractDocument) => parameter.name === name).example;
}
