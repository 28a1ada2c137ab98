/**
 * A proxy cuts the connection at one of the messages that a flow sends to the database, so that the message or its
 * response is lost. The rows must then equal the rows before the flow or after one of its transactions. The repeated
 * action must lead to the rows at the end, which proves that the flow had its effect exactly once.
 */
import { isDeepStrictEqual } from 'node:util';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import test, { type ExecutionContext } from 'ava';
import { contextOf } from '../database/empty-database.ts';
import type { Loss, Place, StatementCutter } from '../database/statement-cutter.ts';
import { eventually } from '../eventually.ts';
import { breachesIn } from '../server/ledger-breaches.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { addEndpoints, type MoneyRows, moneyRowsOf } from './money-rows.ts';

export interface Flow {
  title: string;
  prepare?: (merchant: TestMerchant) => Promise<unknown>;
  act: (merchant: TestMerchant) => Promise<unknown>;
  /** The action after a crash; `act` when omitted. */
  actAgain?: (merchant: TestMerchant) => Promise<unknown>;
  /** The rows before the flow, after each of its transactions, and at its end. */
  rows: readonly [before: MoneyRows, ...after: MoneyRows[]];
  /** The only statement of a flow without a transaction. */
  statement?: RegExp;
}

/** A flow that sends fewer messages than this reaches the database without the cutter. */
const minMessages = { transaction: 4, statement: 1 };

const losses = ['statement', 'answer'] as const;

/**
 * Choice: the test loses a statement and a response by turns, because the database rolls the transaction back after
 * either loss. The two losses differ only at a commit, where `testCommitCuts` tests both.
 */
export function testEachCut(scene: Scene, flows: readonly Flow[]): void {
  for (const flow of flows) {
    test.serial(`${flow.title} exactly once, wherever the database connection is cut`, async (t) => {
      const first = Math.floor(Math.random() * losses.length);
      const messages = await runUncut(t, scene, flow);
      for (const index of messages.keys()) {
        const loss = losses[(first + index) % losses.length] ?? 'statement';
        await runCut(t, scene, { flow, message: index + 1, loss });
      }

      t.log(`cut at ${messages.length} places`);
    });
  }
}

/**
 * Choice: only a commit decides which rows are kept, so cuts at commits find a flow that wrongly has several
 * transactions. `testEachCut` takes twice as long.
 */
export function testCommitCuts(scene: Scene, flows: readonly Flow[]): void {
  for (const flow of flows) {
    test.serial(`${flow.title} exactly once if the database connection is cut at a commit or elsewhere`, async (t) => {
      const messages = await runUncut(t, scene, flow);
      const decides = flow.statement ?? /^commit/i;
      const [deciding, others] = partition([...messages.keys()], (index) => decides.test(messages[index] ?? ''));
      t.true(deciding.length > 0, messages.join('\n'));

      for (const index of deciding) {
        for (const loss of losses) await runCut(t, scene, { flow, message: index + 1, loss });
      }
      const index = others[Math.floor(Math.random() * others.length)];
      if (index !== undefined) await runCut(t, scene, { flow, message: index + 1, loss: 'statement' });
    });
  }
}

function partition<Item>(items: Item[], belongs: (item: Item) => boolean): [belonging: Item[], others: Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

export interface Scene {
  server: () => TestServer;
  cutter: StatementCutter;
}

/**
 * The check of the ledger uses a new connection, because the server's pool still has connections that were cut.
 * Choice: the ledger is checked once, after the last cut of a test: postings are never removed, so a later cut hides no
 * breach.
 */
export function createScene(server: () => TestServer, cutter: StatementCutter): Scene {
  let uncut: ReturnType<typeof openOrm> | undefined;
  test.afterEach.always('the ledger keeps its invariants', async (t) => {
    uncut ??= openOrm(reachDatabase(server().database.url), 1);
    t.deepEqual(await breachesIn(contextOf(await uncut)), []);
  });
  test.after.always(async () => (await uncut)?.close());
  return { server, cutter };
}

interface Cut {
  flow: Flow;
  message: number;
  loss: Loss;
}

async function runCut(t: ExecutionContext, scene: Scene, { flow, message, loss }: Cut): Promise<void> {
  const merchant = await prepareMerchant(t, scene, flow);
  scene.cutter.cutAt({ message, loss, ...startOf(flow) });
  await flow.act(merchant).catch(() => {});
  const cut = scene.cutter.disarm();

  t.truthy(cut, `${flow.title}: the flow sent no message ${message}`);
  const done = { flow, merchant, place: `${flow.title}, without ${cut}` };
  await assertWholeState(t, scene, done);
  await assertDoneOnce(t, scene, done);
}

async function runUncut(t: ExecutionContext, scene: Scene, flow: Flow): Promise<readonly string[]> {
  const merchant = await prepareMerchant(t, scene, flow);
  scene.cutter.cutAt({ message: Number.POSITIVE_INFINITY, loss: 'statement', ...startOf(flow) });
  await flow.act(merchant);
  const { messages } = scene.cutter;
  scene.cutter.disarm();

  t.true(messages.length >= minMessages[flow.statement ? 'statement' : 'transaction'], messages.join('\n'));
  const uncut = { flow, merchant, place: `${flow.title}, not cut` };
  await assertWholeState(t, scene, { ...uncut, states: flow.rows.slice(-1) });
  await assertDoneOnce(t, scene, uncut);
  return messages;
}

const startOf = ({ statement }: Flow) => (statement ? { from: [statement] } : {});

interface Killed {
  flow: Flow;
  place: Pick<Place, 'from' | 'loss'>;
  left: MoneyRows;
  process: { kill(signal: 'SIGKILL'): void; ended: Promise<unknown> | (() => Promise<unknown> | undefined) };
}

export async function killAndRepeat(
  t: ExecutionContext,
  scene: Scene,
  { flow, place, left, process }: Killed,
): Promise<void> {
  const { cutter } = scene;
  const merchant = await prepareMerchant(t, scene, flow);
  cutter.cutAt({ ...place, message: 1, onCut: () => process.kill('SIGKILL') });
  await flow.act(merchant).catch(() => {});
  const cut = cutter.disarm();
  t.truthy(cut, `${flow.title}: the process never reached the statement at which it should be killed`);
  const { code } = (await (typeof process.ended === 'function' ? process.ended() : process.ended)) as { code: unknown };
  t.is(code, null, 'the process exited before it was killed');

  const killed = { flow, merchant, place: `${flow.title}, killed without ${cut}` };
  await assertWholeState(t, scene, { ...killed, states: [left] });
  await assertDoneOnce(t, scene, killed);
}

/** Jobs process the rows of all merchants, so open work of earlier runs would make later runs send more messages. */
const postponed = ['payment_attempt', 'refund', 'transfer']
  .map((table) => `update ${table} set next_check_at = now() + interval '1 hour' where next_check_at is not null`)
  .join(';');

async function prepareMerchant(t: ExecutionContext, { server }: Scene, flow: Flow): Promise<TestMerchant> {
  const { database, createMerchant } = server();
  await database.query(postponed);
  const merchant = await createMerchant();
  await addEndpoints(database, merchant);
  await flow.prepare?.(merchant);
  t.deepEqual(await moneyRowsOf(database, merchant.id), flow.rows[0], `${flow.title}: the rows before the flow`);
  return merchant;
}

interface Done {
  flow: Flow;
  merchant: TestMerchant;
  place: string;
}

async function assertWholeState(
  t: ExecutionContext,
  { server }: Scene,
  { flow, merchant, place, states = flow.rows }: Done & { states?: readonly MoneyRows[] },
): Promise<void> {
  const rows = await moneyRowsOf(server().database, merchant.id);
  const like = states.find((state) => isDeepStrictEqual(state, rows)) ?? states.at(-1);
  t.deepEqual(rows, like, `${place}: the rows match none of the ${states.length} allowed states`);
}

/** If only a response was lost, the flow may be complete before the action is repeated. */
async function assertDoneOnce(t: ExecutionContext, { server }: Scene, { flow, merchant, place }: Done): Promise<void> {
  const after = flow.rows.at(-1);
  const again = async () => {
    await (flow.actAgain ?? flow.act)(merchant).catch(() => {});
    return moneyRowsOf(server().database, merchant.id);
  };
  const rows = await eventually(again, (seen) => isDeepStrictEqual(seen, after), 5000).catch(again);
  t.deepEqual(rows, after, `${place}, and done again`);
}
