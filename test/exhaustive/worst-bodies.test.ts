/** Tests that the worst bodies and queries of every operation are refused in a limited number of steps. */
import { readContract } from '@tillhook/openapi';
import { testWorstBodies, testWorstQueries } from '../support/calls/worst-steps.ts';

const { operations } = readContract().model;

testWorstBodies(operations.filter(({ body }) => body !== null));
testWorstQueries(operations.filter(({ method }) => method === 'get'));
