/**
 * A crash between any two statements. Each flow is cut at its first message to the database, then at its second, and so on
 * until it comes through whole; once with the message lost and once with its answer. The flow says in plain rows what there is
 * before it, where it may stop on the way, and after it: directly after a cut there is one of these, and once it was done
 * again there is what is to be after it, so it happened exactly once.
 */
import { isDeepStrictEqual } from 'node:util';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { openOrm } from '@tillhook/server/src/orm.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';
import { ledgerBreaches } from '../money/ledger.ts';
import { addEndpoints, type MoneyRows, moneyRowsOf } from '../money/money-rows.ts';
import type { OwnServer, TestMerchant } from '../server/tillhook.ts';
import { contextOf } from './empty-database.ts';
import type { Loss, Place, StatementCutter } from './statement-cutter.ts';

export interface Flow {
  title: string;
  prepare?: (merchant: TestMerchant) => Promise<unknown>;
  act: (merchant: TestMerchant) => Promise<unknown>;
  /** What goes on after a crash, where that is not the same again. */
  actAgain?: (merchant: TestMerchant) => Promise<unknown>;
  /** Before it, after each of its transactions, and with the last of them done. */
  rows: readonly [before: MoneyRows, ...after: MoneyRows[]];
}

/** Fewer messages than any flow has: with less the cutter would not have been in the way. */
const fewestCuts = 8;

/** A test of each flow on a server that reaches its database through the cutter. */
export function testEachCut(scene: Scene, flows: readonly Flow[]): void {
  for (const flow of flows) {
    test.serial(`${flow.title} exactly once, wherever it is cut`, async (t) => {
      let cuts = 0;
      for (const loss of ['statement', 'answer'] as const) {
        for (let message = 1, isCut = true; isCut; message += 1) {
          isCut = await runCut(t, scene, { flow, message, loss });
          cuts += Number(isCut);
        }
      }

      t.log(`cut at ${cuts} places`);
      t.true(cuts >= fewestCuts, `${cuts} places were cut`);
    });
  }
}

export interface Scene {
  server: () => OwnServer;
  cutter: StatementCutter;
  breachesOf(merchant: TestMerchant): Promise<string[]>;
}

/** Looks at the books past the cutter, whose victims are still in the server's pool. */
export function createScene(server: () => OwnServer, cutter: StatementCutter): Scene {
  let uncut: ReturnType<typeof openOrm> | undefined;
  test.after.always(async () => (await uncut)?.close());
  return {
    server,
    cutter,
    async breachesOf({ id }) {
      uncut ??= openOrm(reachDatabase(server().database.url), 1);
      return ledgerBreaches({ context: contextOf(await uncut) }, id);
    },
  };
}

interface Cut {
  flow: Flow;
  message: number;
  loss: Loss;
}

/** With another merchant: cut there, and then done again. False when the flow has no such message, and came through whole. */
async function runCut(t: ExecutionContext, scene: Scene, { flow, message, loss }: Cut): Promise<boolean> {
  const { cutter } = scene;
  const merchant = await prepareMerchant(t, scene, flow);
  cutter.cutAt({ message, loss });
  const failure = await flow.act(merchant).catch((error) => error);
  const cut = cutter.disarm();
  const place = `${flow.title}, ${cut ? `without ${cut}` : 'not cut'}`;

  if (!cut) t.is(failure instanceof Error ? failure.message : undefined, undefined, place);
  await assertWholeState(t, scene, { flow, merchant, place, states: cut ? flow.rows : flow.rows.slice(-1) });
  await assertDoneOnce(t, scene, { flow, merchant, place });
  return cut !== undefined;
}

interface Killed {
  flow: Flow;
  place: Pick<Place, 'from' | 'loss'>;
  /** What there is when the process is dead: of what it did not commit, nothing. */
  left: MoneyRows;
  process: { kill(signal: 'SIGKILL'): void; ended: Promise<unknown> | (() => Promise<unknown> | undefined) };
}

/** The same with a process that is killed at that place, and another that goes on. */
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
  t.truthy(cut, `${flow.title}: the process never came to the place where it is killed`);
  const { code } = (await (typeof process.ended === 'function' ? process.ended() : process.ended)) as { code: unknown };
  t.is(code, null, 'a process that is killed ends without a code');

  const killed = { flow, merchant, place: `${flow.title}, killed without ${cut}` };
  await assertWholeState(t, scene, { ...killed, states: [left] });
  await assertDoneOnce(t, scene, killed);
}

/** A merchant for whom everything is as it is before the flow. */
async function prepareMerchant(t: ExecutionContext, { server }: Scene, flow: Flow): Promise<TestMerchant> {
  const { database, createMerchant } = server();
  const merchant = await createMerchant();
  await addEndpoints(database, merchant);
  await flow.prepare?.(merchant);
  t.deepEqual(await moneyRowsOf(database, merchant.id), flow.rows[0], `${flow.title}, before it`);
  return merchant;
}

interface Done {
  flow: Flow;
  merchant: TestMerchant;
  /** Where it was cut, for the message of a test that fails. */
  place: string;
}

/** What is committed is one of the flow's states, and no part of another. */
async function assertWholeState(
  t: ExecutionContext,
  { server }: Scene,
  { flow, merchant, place, states = flow.rows }: Done & { states?: readonly MoneyRows[] },
): Promise<void> {
  const rows = await moneyRowsOf(server().database, merchant.id);
  const like = states.find((state) => isDeepStrictEqual(state, rows)) ?? states.at(-1);
  t.deepEqual(rows, like, `${place}: what is left is none of the ${states.length} states that it may be in`);
}

/** At least once more, whether it is done or not: the answer may be all that was lost. */
async function assertDoneOnce(
  t: ExecutionContext,
  { server, breachesOf }: Scene,
  { flow, merchant, place }: Done,
): Promise<void> {
  const after = flow.rows.at(-1);
  const again = async () => {
    await (flow.actAgain ?? flow.act)(merchant).catch(() => {});
    return moneyRowsOf(server().database, merchant.id);
  };
  const rows = await eventually(again, (seen) => isDeepStrictEqual(seen, after), 5000).catch(again);
  t.deepEqual(rows, after, `${place}, and done again`);
  t.deepEqual(await breachesOf(merchant), [], `${place}, and done again`);
}
