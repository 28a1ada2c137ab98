/**
 * Tests a crash between any two statements. A flow is an act, with the rows that exist before it, after each of its
 * transactions, and at its end. The connection is cut at the flow's first message to the database, then at its second,
 * and so on until no cut happens: once so that the message is lost, and once so that its answer is lost. After a cut,
 * the rows must be one of these states. Then the act is repeated, and the rows must be those of the end, so that the
 * flow had its effect exactly once.
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
  /** What happens after a crash; `act` again when omitted. */
  actAgain?: (merchant: TestMerchant) => Promise<unknown>;
  /** The rows before the flow, and after each of its transactions. The last element is the end. */
  rows: readonly [before: MoneyRows, ...after: MoneyRows[]];
  /** For a flow without a transaction: its only statement. */
  statement?: RegExp;
}

/**
 * Every transaction sends more messages than this. If fewer were cut, the server did not reach its database through the
 * cutter. A single statement is lost, or its answer is.
 */
const fewestCuts = { transaction: 8, statement: 2 };

/** Declares a test for each flow. The server must reach its database through the cutter. */
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
      t.true(cuts >= fewestCuts[flow.statement ? 'statement' : 'transaction'], `${cuts} places were cut`);
    });
  }
}

export interface Scene {
  server: () => OwnServer;
  cutter: StatementCutter;
  breachesOf(merchant: TestMerchant): Promise<string[]>;
}

/** The ledger check uses its own connection, because the server's pool still holds connections that were cut. */
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

/**
 * Runs the flow for a new merchant, cuts it there, and repeats it. Returns false if the flow has no such message and so
 * was not cut.
 */
async function runCut(t: ExecutionContext, scene: Scene, { flow, message, loss }: Cut): Promise<boolean> {
  const { cutter } = scene;
  const merchant = await prepareMerchant(t, scene, flow);
  cutter.cutAt({ message, loss, ...(flow.statement && { from: [flow.statement] }) });
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
  /** The rows when the process is dead: only what it had committed. */
  left: MoneyRows;
  process: { kill(signal: 'SIGKILL'): void; ended: Promise<unknown> | (() => Promise<unknown> | undefined) };
}

/** Kills the process that runs the flow at that place. `actAgain` of the flow then uses another process. */
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
  t.truthy(cut, `${flow.title}: the process never reached the statement at which it is killed`);
  const { code } = (await (typeof process.ended === 'function' ? process.ended() : process.ended)) as { code: unknown };
  t.is(code, null, 'a process that is killed ends without a code');

  const killed = { flow, merchant, place: `${flow.title}, killed without ${cut}` };
  await assertWholeState(t, scene, { ...killed, states: [left] });
  await assertDoneOnce(t, scene, killed);
}

/** Creates a merchant with the rows that exist before the flow. */
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
  /** Where it was cut, for the message of a failure. */
  place: string;
}

/** Asserts that the committed rows are one of the flow's states, and not part of one. */
async function assertWholeState(
  t: ExecutionContext,
  { server }: Scene,
  { flow, merchant, place, states = flow.rows }: Done & { states?: readonly MoneyRows[] },
): Promise<void> {
  const rows = await moneyRowsOf(server().database, merchant.id);
  const like = states.find((state) => isDeepStrictEqual(state, rows)) ?? states.at(-1);
  t.deepEqual(rows, like, `${place}: the rows are none of the ${states.length} allowed states`);
}

/**
 * Repeats the act at least once, and asserts that the flow had its effect exactly once. It may have been complete
 * before, if only its answer was lost.
 */
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
