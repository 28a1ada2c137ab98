/**
 * A step is a function call that V8 counts, so the result does not depend on the load of the machine.
 * `lab/bench/worst-bodies.ts` measures the time.
 */
import { Session } from 'node:inspector/promises';
import type { ModelOperation } from '@tillhook/openapi';
import test from 'ava';
import { serverForFile } from '../server/tillhook.ts';
import { callOperation, headersFor, pathOf } from './call-example.ts';
import { worstBodies } from './worst-bodies.ts';

// V8 counts only the steps of one process, so the server runs in the process of the tests. The role `api` runs no jobs,
// whose steps would also be counted.
export const server = serverForFile({ ROLE: 'api' });

/** The most expensive known body takes 18,000 steps. */
const maxSteps = 40_000;

export function testWorstBodies(operations: readonly ModelOperation[]): void {
  for (const operation of operations) {
    // A single test for all operations would print nothing for so long that ava would end it on a busy machine.
    test.serial(
      `the most expensive bodies are refused in few steps, with at most a hundred problems: ${operation.id}`,
      async (t) => {
        const headers = await headersFor(server(), operation, await server().createMerchant());
        const inspector = await startCounting();
        t.teardown(() => inspector.disconnect());
        await callOperation(server(), operation, { headers, body: '{"colour":"red"}' });
        await stepsSoFar(inspector);
        const bodies = worstBodies(operation);
        t.true(bodies.length > 15, `only ${bodies.length} bodies are tried`);
        for (const { what, text } of bodies) {
          const response = await callOperation(server(), operation, { headers, body: text });
          const steps = await stepsSoFar(inspector);

          const { error } = await response.json();
          t.true([400, 413].includes(response.status), `${what}: ${response.status}`);
          t.true(error.details.length <= 100, `${what}: ${error.details.length} problems`);
          t.true(steps <= maxSteps, `${what}: ${steps} steps`);
        }
      },
    );
  }
}

async function startCounting(): Promise<Session> {
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return inspector;
}

async function stepsSoFar(inspector: Session): Promise<number> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const functions = result.flatMap(({ url, functions: found }) => (url.startsWith(tests) ? [] : found));
  return functions.reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0);
}

const tests = new URL('../..', import.meta.url).href;

export function testWorstQueries(operations: readonly ModelOperation[]): void {
  for (const operation of operations) {
    test.serial(
      `the most expensive queries are refused in few steps, with at most a hundred problems: ${operation.id}`,
      async (t) => {
        const headers = await headersFor(server(), operation, await server().createMerchant());
        const inspector = await startCounting();
        t.teardown(() => inspector.disconnect());
        const path = pathOf(operation);
        const lists = operation.parameters.filter(({ in: place, schema }) => place === 'query' && schema.items);
        const parts = ['%ff=%00', 'a', 'a[b][c]=1', 'limit=x', ...lists.map(({ name }) => `${name}=x`)];
        await callOperation(server(), operation, { headers, path: `${path}?colour=red` });
        for (const part of parts) {
          const query = Array.from({ length: 15_000 / (part.length + 1) }, () => part).join('&');
          await stepsSoFar(inspector);
          const response = await callOperation(server(), operation, { headers, path: `${path}?${query}` });
          const steps = await stepsSoFar(inspector);

          t.is(response.status, 400);
          t.true((await response.json()).error.details.length <= 100);
          t.true(steps <= maxSteps, `${part}: ${steps} steps`);
        }
      },
    );
  }
}
