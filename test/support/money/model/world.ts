/** Each step calls functions of the service on a real database, and each call runs in a new transaction. */
import { deepStrictEqual } from 'node:assert/strict';
import {
  type Context,
  type WithPrincipal,
  type WriteContext,
  withFreshEntityManager,
} from '@tillhook/server/src/context.ts';
import { AppError } from '@tillhook/server/src/kit/errors.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { createMerchant } from '@tillhook/server/src/people/merchants/merchants.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { breachesIn } from '../../server/ledger-breaches.ts';
import type { ServerWithContext } from '../../server/tillhook.ts';
import { moneyOf } from '../ledger.ts';
import { expectedMoney, type Model, newModel } from './model.ts';

export interface World extends Pick<ServerWithContext, 'database'> {
  merchantId: string;
  context: Context & WithPrincipal;
  /** A step that was skipped is not counted. */
  steps: number;
  checksEachStep: boolean;
}

/** The time of the model is also the time of the service. */
export async function newWorld(
  { context, database }: ServerWithContext,
  checksEachStep: boolean,
): Promise<{ model: Model; real: World }> {
  const model = newModel(Date.now());
  const clock = { now: () => new Date(model.now) };
  const merchantId = await inTransaction(
    withFreshEntityManager(context),
    async (tx) => createMerchant(tx, { name: 'Model', currency: 'NGN' }).id,
  );
  const actor = { type: 'key', apiKeyId: newId() } as const;
  const principal = { merchantId, mode: 'test', currency: 'NGN', scopes: null, actor } as const;
  const real: World = { database, merchantId, context: { ...context, clock, principal }, steps: 0, checksEachStep };
  return { model, real };
}

export async function attempt<Value>(
  { context }: World,
  work: (context: WriteContext & WithPrincipal) => Promise<Value>,
): Promise<{ value?: Value; errorCode?: string }> {
  try {
    return { value: await inTransaction(withFreshEntityManager(context), work) };
  } catch (error) {
    return { errorCode: error instanceof AppError ? error.code : (error as Error).message };
  }
}

export async function compare(model: Model, world: World): Promise<void> {
  const [state] = await Promise.all([
    moneyOf(world.database, world.merchantId),
    world.checksEachStep && assertNoBreaches(world),
  ]);
  deepStrictEqual(state, expectedMoney(model));
}

export async function assertNoBreaches({ context, merchantId }: World): Promise<void> {
  deepStrictEqual(await breachesIn(context, merchantId), []);
}
