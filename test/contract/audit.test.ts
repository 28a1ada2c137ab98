/**
 * Every operation by which users change something in the dashboard writes an audit entry, for which the dashboard has
 * words.
 */
import { auditWords } from '@tillhook/dashboard/src/settings/audit-words.ts';
import { type OperationId, readContract } from '@tillhook/openapi';
import { commandActions } from '@tillhook/server/src/audit/audit.service.ts';
import test from 'ava';
import { successfulCalls } from '../mock/successful-calls.ts';
import { pathOf, roleOf, schemesOf } from '../support/calls/call-example.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { postSession, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const changing = readContract().model.operations.filter((operation) => {
  return operation.id === 'signIn' || (operation.method !== 'get' && schemesOf(operation).includes('dashboardSession'));
});

/** Operations whose audit entry has a different name. */
const otherNames: Partial<Record<OperationId, string>> = {
  resolveReview: 'completeReviewedPayment',
};

/** Operations without an entry. `beginTwoStep` has no effect before `confirmTwoStep`, which writes one. */
const withoutEntry: readonly string[] = ['beginTwoStep'];

for (const operation of changing) {
  const id = operation.id as OperationId;
  const expected = withoutEntry.includes(id) ? [] : [otherNames[id] ?? id];
  test(`${id} writes ${expected.length === 0 ? 'no entry' : 'one entry, which the dashboard has words for'}`, async (t) => {
    const signedIn = await signIn(server(), undefined, roleOf(operation));
    const { path, body, mode } = await successfulCalls[id](signedIn);
    const before = await actionsOf(signedIn);
    const json = body && { json: body };

    const response =
      id === 'signIn'
        ? await postSession(server(), body)
        : await signedIn.call(pathOf(operation, path), {
            method: operation.method.toUpperCase(),
            ...(mode && { mode }),
            ...json,
          });

    t.true(response.ok, await response.text());
    const written = (await actionsOf(signedIn)).slice(before.length);
    t.deepEqual(written, expected);
    for (const action of written) t.true(action in auditWords, `the dashboard has no words for ${action}`);
  });
}

test('the dashboard has words for all actions of commands, and for no action that is never written', (t) => {
  const ofOperations = changing.map(({ id }) => otherNames[id as OperationId] ?? id);
  const written = new Set([...ofOperations, ...commandActions].filter((action) => !withoutEntry.includes(action)));

  t.deepEqual(Object.keys(auditWords).sort(), [...written].sort());
  t.true(changing.length > 35);
});

async function actionsOf({ merchant }: SignedIn): Promise<string[]> {
  const rows = await server().database.query<{ action: string }>(
    'select action from audit_entry where merchant_id = $1 order by id',
    [merchant.id],
  );
  return rows.map(({ action }) => action);
}
