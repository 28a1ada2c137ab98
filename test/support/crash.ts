/**
 * A crash between any two statements. Each flow is cut at its first message to the database, then at its second, and so on
 * until it comes through whole; once with the message lost and once with its answer. After each cut the books are right, and
 * once it was done again the merchant has what an undisturbed flow leaves: it happened exactly once.
 */
import { openDatabase } from '@tillhook/server/src/database/orm.ts';
import test, { type ExecutionContext } from 'ava';
import { contextOf } from './empty-database.ts';
import { eventually } from './eventually.ts';
import { faultsOfLedger, type Money, moneyOf } from './ledger.ts';
import type { Loss, StatementCutter } from './statement-cutter.ts';
import type { TestMerchant, TestServer } from './tillhook.ts';

export interface Flow {
  title: string;
  prepare?: (merchant: TestMerchant) => Promise<unknown>;
  act: (merchant: TestMerchant) => Promise<unknown>;
  /** What goes on after a crash, where that is not the same again. */
  actAgain?: (merchant: TestMerchant) => Promise<unknown>;
}

/** Fewer messages than any flow has: with less the cutter would not have been in the way. */
const fewestCuts = 8;

/** A test of each flow on a server that reaches its database through the cutter. */
export function happensExactlyOnce(server: () => TestServer, cutter: StatementCutter, flows: readonly Flow[]): void {
  const scene: Scene = { server, cutter, faultsOf: checkPast(server) };
  for (const flow of flows) {
    test.serial(`${flow.title} exactly once, wherever it is cut`, async (t) => {
      const { money: wanted } = await run(t, scene, { flow });

      let cuts = 0;
      for (const loss of ['statement', 'answer'] as const) {
        for (let message = 1, isCut = true; isCut; message += 1) {
          const outcome = await run(t, scene, { flow, cut: { message, loss, wanted } });
          t.deepEqual(outcome.money, wanted, `${loss} ${message}`);
          isCut = outcome.isCut;
          cuts += Number(isCut);
        }
      }

      t.log(`cut at ${cuts} places`);
      t.true(cuts >= fewestCuts);
    });
  }
}

interface Scene {
  server: () => TestServer;
  cutter: StatementCutter;
  faultsOf(merchant: TestMerchant): Promise<string[]>;
}

/** Looks at the books past the cutter, whose victims are still in the server's pool. */
function checkPast(server: () => TestServer): Scene['faultsOf'] {
  let uncut: ReturnType<typeof openDatabase> | undefined;
  test.after.always(async () => (await uncut)?.close());
  return async ({ id }) => {
    uncut ??= openDatabase(server().database.url, 1);
    return faultsOfLedger({ context: contextOf(await uncut) }, id);
  };
}

interface Cut {
  message: number;
  loss: Loss;
  /** What an undisturbed flow leaves. */
  wanted: Money;
}

/** With a merchant of its own: undisturbed, or cut there and then done again until there is what is wanted. */
async function run(t: ExecutionContext, { server, cutter, faultsOf }: Scene, { flow, cut }: { flow: Flow; cut?: Cut }) {
  const merchant = await server().createMerchant();
  const money = () => moneyOf(server().database, merchant.id);
  await flow.prepare?.(merchant);
  if (!cut) {
    await flow.act(merchant);
    t.deepEqual(await faultsOf(merchant), []);
    return { isCut: false, money: await money() };
  }
  cutter.cutAt(cut.message, cut.loss);
  await flow.act(merchant).catch(() => {});
  const isCut = cutter.disarm();
  t.deepEqual(await faultsOf(merchant), [], `${cut.loss} ${cut.message}`);

  // At least once more, whether it is done or not: the answer may be all that was lost.
  await eventually(async () => {
    await (flow.actAgain ?? flow.act)(merchant).catch(() => {});
    return money();
  }, cut.wanted);
  t.deepEqual(await faultsOf(merchant), [], `${cut.loss} ${cut.message}, and again`);
  return { isCut, money: await money() };
}
