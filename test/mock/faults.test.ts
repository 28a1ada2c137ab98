import './unobserved.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AnswerDelivery } from '@tillhook/mock/receiver';
import { Tillhook } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { startReceiver } from '../support/receivers/receiver.ts';
import type { JsonResponse } from '../support/server/tillhook.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const mock = await startMockInRun();
test.after.always(() => mock.stop());

async function send(t: ExecutionContext, fault: string, answer?: AnswerDelivery) {
  const receiver = await startReceiver({ secrets: [secret], ...(answer && { answer }) });
  t.teardown(() => receiver.stop());
  const response: JsonResponse = await fetch(`${mock.url}/__mock/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ event: 'checkout.success', url: receiver.url, secret, fault }),
  });
  const { verdict } = await response.json();
  return { deliveries: receiver.deliveries, verdict };
}

const careless = () => ({ status: 200 });

const cases: [fault: string, problem: RegExp | undefined, right: string, wrong: string, bad: AnswerDelivery][] = [
  [
    'bad-signature',
    /No signature matches/,
    'The receiver refused a webhook signed with another secret',
    'The receiver accepted a webhook signed with another secret: it must refuse it',
    careless,
  ],
  [
    'old',
    /Signed too far from now/,
    'The receiver refused a webhook signed an hour ago',
    'The receiver accepted a webhook signed an hour ago: it must refuse it',
    careless,
  ],
  [
    'twice',
    undefined,
    'The receiver accepted a webhook that comes twice with the same webhook-id',
    'The receiver refused a webhook that comes twice with the same webhook-id: it must answer 2xx',
    (_, index) => ({ status: index === 0 ? 200 : 409 }),
  ],
  [
    'unknown-event',
    undefined,
    'The receiver accepted a webhook of an event that is not in the contract',
    'The receiver refused a webhook of an event that is not in the contract: it must answer 2xx',
    () => ({ status: 422 }),
  ],
];

for (const [fault, problem, right, wrong, bad] of cases) {
  test(`the fault ${fault} distinguishes a correct receiver from a wrong receiver`, async (t) => {
    const correct = await send(t, fault);
    const careful = await send(t, fault, bad);

    t.deepEqual(correct.verdict, { isCorrect: true, message: right });
    t.deepEqual(careful.verdict, { isCorrect: false, message: wrong });
    const [delivery] = correct.deliveries;
    t.is(delivery?.verification, problem ? 'refused' : 'verified');
    if (problem) t.regex(delivery?.problem ?? '', problem);
    t.is(correct.deliveries.length, fault === 'twice' ? 2 : 1);
    t.is(new Set(correct.deliveries.map(({ headers }) => headers['webhook-id'])).size, 1);
    t.is(delivery?.headers['x-service-event'], fault === 'unknown-event' ? 'mock.unknown_event' : 'checkout.success');
  });
}

test('the list of events does not contain the event of a webhook with a fault, because that event has not happened', async (t) => {
  const client = new Tillhook('sk_test_mock', { baseUrl: mock.url });
  const before = await client.events.list();

  await send(t, 'twice');

  t.deepEqual(await client.events.list(), before);
});

test('400 for an unknown fault, with a list of the known faults', async (t) => {
  const response: JsonResponse = await fetch(`${mock.url}/__mock/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ event: 'checkout.success', url: 'http://a.example', fault: 'rude' }),
  });

  t.is(response.status, 400);
  t.is((await response.json()).message, 'fault must be one of bad-signature, old, twice, unknown-event');
});

test('the command mock:event exits with 0 for a correct receiver, with 1 for a wrong receiver, and with 2 for invalid arguments', async (t) => {
  const receiver = await startReceiver({ secrets: [secret] });
  t.teardown(() => receiver.stop());
  const file = new URL('../../mock/src/commands/mock.ts', import.meta.url).pathname;
  const args = ['event', 'checkout.success', '--to', receiver.url, '--secret', secret, '--fault'];
  const run = (fault: string) =>
    promisify(execFile)(process.execPath, ['--conditions=@tillhook/source', file, ...args, fault]).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  const right = await run('bad-signature');
  receiver.setAnswer(careless);
  const wrong = await run('bad-signature');
  const unknown = await run('rude');

  t.is(right.code, 0);
  t.regex(right.stdout, /^attempt 1: 400 in \d+ ms: No signature matches.*\nThe receiver refused a webhook/);
  t.is(wrong.code, 1);
  t.regex(wrong.stdout, /accepted a webhook signed with another secret: it must refuse it\n$/);
  t.is(unknown.code, 2);
  t.regex(unknown.stderr, /Allowed choices are bad-signature, old, twice, unknown-event/);
});
