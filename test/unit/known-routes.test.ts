import { readContract } from '@tillhook/openapi';
import { knownRoutes, lookUpStep } from '@tillhook/server/src/api/known-routes.ts';
import test from 'ava';
import type { Request, RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

const { model } = readContract();

interface FakeRequest {
  method: string;
  originalUrl: string;
  openapi?: unknown;
  params?: unknown;
}

function ask(handler: RequestHandler, method: string, originalUrl: string): FakeRequest {
  const request: FakeRequest = { method, originalUrl };
  handler(request as unknown as Request, {} as never, () => undefined);
  return request;
}

function withValidator() {
  const lookedUp: string[] = [];
  const handler = knownRoutes((request, _response, next) => {
    const { method, originalUrl } = request as unknown as FakeRequest;
    lookedUp.push(originalUrl);
    Object.assign(request, { openapi: { schema: { operationId: `${method} of the validator` }, pathParams: {} } });
    next();
  }, model);
  return { handler, lookedUp };
}

test('the validator has exactly one step that looks up routes, so that the table of routes can replace this step', (t) => {
  const apiSpec = { openapi: '3.1.0', info: { title: 'Empty', version: '1' }, paths: {} };

  const steps = OpenApiValidator.middleware({ apiSpec } as never).map(({ name }) => name);

  t.is(steps.filter((name) => name === lookUpStep).length, 1);
});

test('the validator looks up the route of each operation once, and later requests find the route in the table', (t) => {
  const { handler, lookedUp } = withValidator();

  for (const { method, path } of model.operations) {
    const filled = path.replaceAll(/\{(\w+)\}/g, 'a%20b-$1');
    const before = lookedUp.length;
    const [first, second] = [1, 2].map(() => ask(handler, method.toUpperCase(), `${filled}?limit=${before}`));

    t.is(lookedUp.length, before + 1, path);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pathParams = Object.fromEntries(names.map((name) => [name, `a b-${name}`]));
    t.deepEqual(second?.openapi, { ...(first?.openapi as object), pathParams });
    t.deepEqual(second?.params, pathParams);
  }
});

for (const [title, method, path] of [
  ['another method', 'DELETE', '/api/v1/payments/checkout'],
  ['an unknown address', 'GET', '/api/v1/nowhere'],
  ['a slash at the end', 'POST', '/api/v1/payments/checkout/'],
  ['capital letters', 'POST', '/API/v1/payments/checkout'],
  ['a parameter that is empty', 'GET', '/api/v1/payments/'],
  ['a parameter that is encoded wrongly', 'GET', '/api/v1/payments/%E0%A4%A'],
] as const) {
  test(`the validator looks up the route each time for ${title}`, (t) => {
    const { handler, lookedUp } = withValidator();

    for (let time = 0; time < 3; time += 1) ask(handler, method, path);

    t.is(lookedUp.length, 3);
  });
}
