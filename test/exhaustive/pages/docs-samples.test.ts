/** Tests that every Python program in the documentation runs, and sends what the contract says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { callSamples } from '@tillhook/docs/src/call-samples.ts';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import test from 'ava';

const { model } = readContract();

interface Received {
  call: string;
  credentials: (string | undefined)[];
  body: unknown;
}

test('each program in Python sends the method, the path, the credential and the body of its operation', async (t) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = headers['content-type'] === 'application/json' ? await json(request) : null;
    const credentials = [headers.authorization, headers['x-api-key'], headers.cookie].map((one) => one?.toString());
    received.push({ call: `${method} ${url}`, credentials, body });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const programs = model.operations.map((operation) => pythonIn(callSamples(model, operation, address)));

  const python = spawn('python3', ['-'], {
    env: { ...process.env, KEY: 'sk_test_a', SESSION: 'abc' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  python.stdin.end(programs.join('\n'));
  const [status] = await once(python, 'exit');

  t.is(status, 0);
  t.deepEqual(received, model.operations.map(expected));
});

function pythonIn(samples: string): string {
  return /^```python Python\n(.*?)^```$/ms.exec(samples)?.[1] ?? '';
}

function expected(operation: ModelOperation): Received {
  const { method, path, parameters, body, security } = operation;
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const schemes = security[0] ?? [];
  const credentials = [
    schemes.includes('bearerAuth') ? 'Bearer sk_test_a' : undefined,
    schemes.includes('apiKeyHeader') ? 'sk_test_a' : undefined,
    schemes.includes('dashboardSession') ? 'tillhook_session=abc' : undefined,
  ];
  const [example] = body?.examples.values() ?? [];
  return { call: `${method.toUpperCase()} ${filled}`, credentials, body: example?.value ?? null };
}

test('an operation has its call for curl, for the SDK and for Python, in this order', (t) => {
  const createTransfer = model.operationById.get('createTransfer') as ModelOperation;
  const text = callSamples(model, createTransfer, 'https://pay.example.com');

  t.deepEqual(
    [...text.matchAll(/^```(\w+ \w+)$/gm)].map(([, info]) => info),
    ['sh curl', 'ts TypeScript', 'python Python'],
  );
});
