/** Sends the most expensive bodies and queries to every operation. Each is refused in a limited number of steps. */
import { readContract } from '@tillhook/openapi';
import { testWorstBodies, testWorstQueries } from '../support/calls/worst-steps.ts';

const { operations } = readContract().model;

testWorstBodies(operations.filter(({ body }) => body !== null));
testWorstQueries(operations.filter(({ method }) => method === 'get'));
