/**
 * A stand-in for the service, made from `openapi.yaml` alone: it validates each request and answers with the contract's
 * first example, or with the one that the caller prefers. It keeps nothing; what needs memory is the real server's.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { operationsOf, readContract } from '@tillhook/openapi';
import { type Address, listen, type Running, readPort, runCommand } from './command.ts';
import { createPrism, type Prism, type PrismAnswer, problemAnswer } from './prism.ts';
import { readRequest } from './request.ts';

export interface MockOptions extends Address {
  /** Called for each request, with one line about it. */
  onAnswer?: (line: string) => void;
}

/** Starts the mock, on a free port when none is given. */
export async function startMock({ port = 0, host = '127.0.0.1', onAnswer }: MockOptions = {}): Promise<Running> {
  const prism = await createPrism(structuredClone(readContract().document));
  const server = createServer(async (request, response) => {
    allowEveryOrigin(request, response);
    if (isPreflight(request)) {
      response.writeHead(204).end();
      return;
    }
    const answer = await ask(prism, request).catch(problemAnswer);
    send(response, answer);
    onAnswer?.(lineOf(request, answer));
  });
  return listen(server, { port, host });
}

async function ask(prism: Prism, request: IncomingMessage): Promise<PrismAnswer> {
  const { input, preferences, isMalformed } = await readRequest(request);
  if (isMalformed) {
    const answer = await prism(input, { code: 400, exampleKey: 'invalidJson' });
    if (answer.status === 400) return answer;
  }
  return prism(input, preferences);
}

function send(response: ServerResponse, { status, headers, body, violations }: PrismAnswer): void {
  // Under the name that Prism's own server gives it: the example in the body cannot know what was wrong.
  if (violations.length > 0) response.setHeader('sl-violations', asHeader(JSON.stringify(violations)));
  response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body));
}

/** Headers hold neither letters beyond Latin-1 nor, in many clients, more than 8 KiB. */
function asHeader(json: string): string {
  return json.slice(0, 4096).replaceAll(/[^\x20-\x7e]/g, '?');
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers;
}

function allowEveryOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  // A wildcard does not cover Authorization.
  response.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*');
  response.setHeader('Access-Control-Expose-Headers', '*');
  response.setHeader('Vary', 'Access-Control-Request-Headers');
}

function lineOf({ method, url }: IncomingMessage, { status, problem, violations }: PrismAnswer): string {
  const reasons = problem ? [problem] : violations.map(({ message }) => message);
  return [status, method, url, reasons.length > 0 && `(${reasons.join('; ')})`].filter(Boolean).join(' ');
}

if (import.meta.main) {
  await runCommand(async () => {
    const port = readPort('MOCK_PORT', process.env.MOCK_PORT, 4010);
    const mock = await startMock({ port, onAnswer: console.log });
    console.log(greeting(mock.url));
    return mock;
  });
}

function greeting(url: string): string {
  const operations = operationsOf(readContract().document);
  return `The mock of the API: ${url}

${operations.map(({ id, method, path }) => `  ${method.toUpperCase().padEnd(7)}${path.padEnd(56)}${id}`).join('\n')}

Any key will do, here sk_test_mock:
  curl ${url}/api/v1/payments/checkout -H 'x-api-key: sk_test_mock' \\
    -H 'Content-Type: application/json' -d '{"email":"ada@example.com","amount":500000}'
  curl ${url}/api/v1/transfers -H 'Authorization: Bearer sk_test_mock'
Any session too:
  curl ${url}/api/v1/dashboard/session -H 'Cookie: tillhook_session=mock' -H 'X-Service-Mode: test'

Ask for other answers by a header:
  Prefer: code=404                 that status, with its first example
  Prefer: example=empty            that example of the status
  Prefer: code=401, example=wrongHeader
  Prefer: dynamic=true             made up from the schema
`;
}
