import { startMock } from '@tillhook/mock/api';
import { type ContractDocument, type ContractOperation, operationsOf, readContract } from '@tillhook/openapi';
import test from 'ava';
import { credentialHeaders, schemesOf } from '../support/call-example.ts';

const { document } = readContract();
const mock = await startMock();
test.after.always(() => mock.stop());

for (const operation of operationsOf(document)) {
  const [status, response] = successOf(operation);

  test(`${status} ${operation.id} answers with the contract's first example`, async (t) => {
    for (const headers of credentialsOf(operation)) {
      const answer = await call(operation, { headers });

      t.is(answer.status, Number(status));
      t.deepEqual(await answer.json(), firstExample(response));
      t.is(answer.headers.get('sl-violations'), null);
      t.regex(answer.headers.get('x-request-id') ?? '', /^req_/);
    }
  });

  if (schemesOf(operation).length > 0) {
    test(`401 ${operation.id} when the credential is missing`, async (t) => {
      const answer = await call(operation, { headers: {} });

      t.is(answer.status, 401);
      t.deepEqual(await answer.json(), firstExample(resolve(operation.definition.responses[401])));
    });
  }

  for (const status of Object.keys(operation.definition.responses)) {
    test(`${status} ${operation.id} when the caller prefers it`, async (t) => {
      const answer = await call(operation, { prefer: `code=${status}` });

      t.is(answer.status, Number(status));
      const documented = resolve(operation.definition.responses[status]);
      if (documented.content) t.deepEqual(await answer.json(), firstExample(documented));
      else t.is(await answer.text(), '');
    });
  }
}

function call(
  operation: ContractOperation,
  { headers = credentialsOf(operation)[0], prefer = '' }: { headers?: Record<string, string>; prefer?: string } = {},
) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathExample(operation, name)));
  const body = operation.definition.requestBody && JSON.stringify(firstExample(operation.definition.requestBody));
  return fetch(`${mock.url}${path}`, {
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
  const ways = schemesOf(operation).map((scheme) => credentialHeaders(scheme, 'mock'));
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
  return definition.parameters.map(resolve).find((parameter: ContractDocument) => parameter.name === name).example;
}

function resolve(value: ContractDocument): ContractDocument {
  if (typeof value.$ref !== 'string') return value;
  const keys = value.$ref.slice(2).split('/');
  return keys.reduce((node, key) => node[key], document);
}
