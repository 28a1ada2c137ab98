/**
 * The service with which the model is compared. The steps call functions of the service on a real database, each call
 * in a new transaction.
 */
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
  /** The number of steps that ran. A step that did not apply is not counted. */
  steps: number;
  /** Whether the ledger is checked after each step, and not only after the last step. */
  checksEachStep: boolean;
}

/** Creates a merchant and its model. The time of the model is also the time of the service. */
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

/** Calls the service in a transaction. Returns the value, or the error code or message if the service throws. */
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

/** Throws if the database differs from the model. With `checksEachStep`, also throws if the ledger has a breach. */
export async function compare(model: Model, world: World): Promise<void> {
  const [state] = await Promise.all([
    moneyOf(world.database, world.merchantId),
    world.checksEachStep && checkBooks(world),
  ]);
  deepStrictEqual(state, expectedMoney(model));
}

/** Throws if the ledger has a breach. */
export async function checkBooks({ context, merchantId }: World): Promise<void> {
  deepStrictEqual(await breachesIn(context, merchantId), []);
}
