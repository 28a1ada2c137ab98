import { settleTransfer } from '@tillhook/server/src/money/transfers/settle-transfer.service.ts';
import { startTransfer } from '@tillhook/server/src/money/transfers/transfers.service.ts';
import { fundTestWallet, topUpTransferWallet } from '@tillhook/server/src/money/wallets/wallets.service.ts';
import type { PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import fc from 'fast-check';
import { recipient } from '../transfers.ts';
import { balanceOf, type Model, type ModelTransfer, move } from './model.ts';
import { anyPick, type Step, step, stepTo } from './step.ts';
import { attempt } from './world.ts';

const amount = fc.integer({ min: 1, max: 400 });
const currency = fc.constantFrom('NGN', 'NGN', 'NGN', 'USD');
const repeats = fc.constantFrom(false, false, false, true);

export const fundWallet = fc.record({ amount: fc.integer({ min: 1, max: 2000 }), currency }).map((funds) =>
  step('fund the Transfer wallet', funds, {
    async act(model, world) {
      move(model, { from: 'funding', to: 'transfer', ...funds });
      const { errorCode } = await attempt(world, (context) => fundTestWallet(context, funds));
      return { errorCode };
    },
  }),
);

export const topUp = fc.record({ amount, currency, repeats }).map(({ repeats, ...funds }) =>
  step(
    'top the Transfer wallet up',
    { repeats, ...funds },
    {
      async act(model, world) {
        const taken = repeats ? model.topUps[0] : undefined;
        const reference = taken ?? `top-up-${1000 + model.topUps.length}`;
        const expected = taken ? 'duplicate_reference' : fundsError(model, 'collection', funds);
        if (!expected) {
          model.topUps.push(reference);
          move(model, { from: 'collection', to: 'transfer', ...funds });
        }
        const { errorCode } = await attempt(world, (context) => topUpTransferWallet(context, { ...funds, reference }));
        return { errorCode, expected };
      },
    },
  ),
);

export const chargeFee = fc.constantFrom(0, 25, 25).map((fee) =>
  step(
    'set the fee of transfers',
    { fee },
    {
      applies: (model) => model.fee !== fee,
      async act(model, { database, merchantId }) {
        model.fee = fee;
        await database.query('update merchant set transfer_fee = $2 where id = $1', [merchantId, fee]);
        return {};
      },
    },
  ),
);

const create = fc.record({ amount, currency, repeats }).map(({ repeats, ...details }) =>
  step(
    'create a transfer',
    { repeats, ...details },
    {
      async act(model, world) {
        const taken = repeats ? model.transfers[0]?.reference : undefined;
        const reference = taken ?? `payout-${1000 + model.transfers.length}`;
        // Only transfers in the merchant's currency have a fee.
        const fee = details.currency === 'NGN' ? model.fee : 0;
        const cost = { ...details, amount: details.amount + fee };
        const expected = taken ? 'duplicate_reference' : fundsError(model, 'transfer', cost);
        const order = { ...details, reference, recipient: recipient() };
        const { value, errorCode } = await attempt(world, (context) => startTransfer(context, order));
        if (value && !expected) {
          move(model, { from: 'transfer', to: 'transfer_reserved', ...cost });
          model.transfers.push({ id: value.id, reference, status: 'pending', fee, ...details });
        }
        return { errorCode, expected };
      },
    },
  ),
);

const results: PayoutVerdict['result'][] = ['completed', 'failed', 'failed', 'reversed', 'processing', 'unknown'];

const settle = fc.record({ which: anyPick, result: fc.constantFrom(...results) }).map((given) =>
  stepTo('settle a transfer', given, {
    among: ({ transfers }) => transfers,
    fits: isSettlable,
    async act(transfer, model, world) {
      applyVerdict(model, transfer, given.result);
      const verdict = { result: given.result, code: 'returned_by_bank', message: 'Returned' };
      return attempt(world, (context) => settleTransfer(context, transfer.id, verdict));
    },
  }),
);

/** A completed transfer can still be reversed. */
function isSettlable({ status }: ModelTransfer): boolean {
  return status !== 'failed' && status !== 'reversed';
}

function fundsError(model: Model, kind: 'collection' | 'transfer', cost: { amount: number; currency: string }) {
  return balanceOf(model, kind, cost.currency) < cost.amount ? 'insufficient_funds' : undefined;
}

/** Repeats the rules of `money/transfers/settle-transfer.service.ts`: each verdict has its effect at most once. */
function applyVerdict(model: Model, transfer: ModelTransfer, result: PayoutVerdict['result']): void {
  const isOpen = transfer.status === 'pending' || transfer.status === 'processing';
  if (result === 'processing' && transfer.status === 'pending') transfer.status = 'processing';
  if (result === 'failed' && isOpen) fail(model, transfer);
  if (result === 'completed' && isOpen) complete(model, transfer);
  if (result !== 'reversed') return;
  if (isOpen) complete(model, transfer);
  if (transfer.status === 'completed') reverse(model, transfer);
}

function complete(model: Model, transfer: ModelTransfer): void {
  const { reference, amount, fee, currency } = transfer;
  transfer.status = 'completed';
  move(model, { from: 'transfer_reserved', to: 'payout_clearing', amount, currency });
  move(model, { from: 'transfer_reserved', to: 'fees', amount: fee, currency });
  model.events.push(`${reference} transfer.success`);
}

function fail(model: Model, transfer: ModelTransfer): void {
  const { reference, amount, fee, currency } = transfer;
  transfer.status = 'failed';
  move(model, { from: 'transfer_reserved', to: 'transfer', amount: amount + fee, currency });
  model.events.push(`${reference} transfer.failed`);
}

/** The amount of a reversed transfer goes back to the merchant, but not its fee. */
function reverse(model: Model, transfer: ModelTransfer): void {
  const { reference, amount, currency } = transfer;
  transfer.status = 'reversed';
  move(model, { from: 'payout_clearing', to: 'transfer', amount, currency });
  model.events.push(`${reference} transfer.failed`);
}

/** A step that is listed twice is chosen twice as often. */
export const transferSteps: fc.Arbitrary<Step>[] = [
  ...[fundWallet, fundWallet, topUp, topUp, chargeFee],
  ...[create, create, create],
  ...[settle, settle, settle, settle, settle, settle],
];
