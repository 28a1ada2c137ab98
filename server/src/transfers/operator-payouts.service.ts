/**
 * The operator's side of a transfer: live ones are carried out by hand, and the operator who did it says what became of them. What is
 * said is held against what is known, under the row's lock, and settled by the one function that settles every transfer.
 */
import { LockMode } from '@mikro-orm/core';
import type { Context, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import type { Mode } from '../kit/mode.ts';
import type { Page, Paged } from '../kit/pagination.ts';
import { settleTransfer } from './payouts.service.ts';
import { Transfer, type TransferFailure, type TransferStatus } from './transfer.entity.ts';

/** More than anybody reads at once: others are found by naming a merchant. */
export const mostListed = 500;

const open: TransferStatus[] = ['pending', 'processing'];

export type Outcome = { result: 'completed' } | ({ result: 'failed' | 'reversed' } & TransferFailure);

interface PayoutFilter {
  /** Those that are open when left out. */
  status?: TransferStatus | undefined;
  merchantId?: string | undefined;
  /** Both when left out. */
  mode?: Mode | undefined;
}

/** Of both modes. Who waits longest comes first, to be paid first; of those that ended, the newest do. */
export function listPayouts({ em }: Context, filter: PayoutFilter): Promise<Transfer[]> {
  const { where, orderBy } = asked(filter);
  return em.find(Transfer, where, { orderBy, limit: mostListed });
}

/** The same in pages. */
export async function pagePayouts({ em }: Context, filter: PayoutFilter, page: Page): Promise<Paged<Transfer>> {
  const { where, orderBy } = asked(filter);
  const [records, total] = await em.findAndCount(Transfer, where, { ...page, orderBy });
  return { records, total };
}

function asked({ status, merchantId, mode }: PayoutFilter) {
  const statuses = status ? [status] : open;
  const where = { status: { $in: statuses }, ...(merchantId && { merchantId }), ...(mode && { mode }) };
  const id: 'asc' | 'desc' = statuses.some((wanted) => open.includes(wanted)) ? 'asc' : 'desc';
  return { where, orderBy: { id } };
}

/** Of one mode, or of either when it is left out. */
export async function getPayout({ em }: Context, id: string, mode?: Mode): Promise<Transfer> {
  return (await em.findOne(Transfer, { id, ...(mode && { mode }) })) ?? unknown(id);
}

/** Null for one from before account numbers were kept. */
export function accountNumberOf({ sealer }: Context, { id, sealedAccountNumber }: Transfer): string | null {
  return sealedAccountNumber ? sealer.open(sealedAccountNumber, id) : null;
}

/** Takes the operator's word for what became of a live transfer. What was settled before stays as it is, and is an error. */
export async function settleByHand(
  context: WriteContext,
  which: { id: string; mode?: Mode },
  outcome: Outcome,
): Promise<Transfer> {
  const { id } = which;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const transfer = (await context.em.findOne(Transfer, which, { lockMode })) ?? unknown(id);
  if (transfer.mode !== 'live') {
    throw refused(transfer, 'is a test transfer: the simulator says what becomes of it');
  }
  if (outcome.result !== 'reversed' && !transfer.isOpen) throw refused(transfer, `is ${transfer.status} already`);
  if (outcome.result === 'reversed' && transfer.status !== 'completed') {
    const state = transfer.isOpen ? 'has not been settled yet: settle it or fail it' : `is ${transfer.status} already`;
    throw refused(transfer, state);
  }
  return settleTransfer(context, id, outcome);
}

function unknown(id: string): never {
  throw new AppError('resource_not_found', `There is no transfer ${id}`);
}

function refused({ reference }: Transfer, state: string): AppError {
  return new AppError('transfer_status_conflict', `Transfer ${reference} ${state}`);
}
