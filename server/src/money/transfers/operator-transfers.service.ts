/** Operators pay live transfers by hand and report the outcome. `settleTransfer` applies the outcome. */
import { LockMode } from '@mikro-orm/core';
import type { Context, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Mode } from '../../kit/mode.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { settleTransfer } from './settle-transfer.service.ts';
import { Transfer, type TransferFailure, type TransferStatus } from './transfer.entity.ts';

export const maxListed = 500;

const open: TransferStatus[] = ['pending', 'processing'];

export type Outcome = { result: 'completed' } | ({ result: 'failed' | 'reversed' } & TransferFailure);

interface OperatorTransferFilter {
  /** When omitted, the list has pending and processing transfers. */
  status?: readonly TransferStatus[] | undefined;
  merchantId?: string | undefined;
  mode?: Mode | undefined;
}

/** Open transfers come oldest first, because operators pay them in that order. Ended transfers come newest first. */
export function listOperatorTransfers({ em }: Context, filter: OperatorTransferFilter): Promise<Transfer[]> {
  const { where, orderBy } = operatorTransferQuery(filter);
  return em.find(Transfer, where, { orderBy, limit: maxListed });
}

export function pageOperatorTransfers(
  context: Context,
  filter: OperatorTransferFilter,
  page: Page,
): Promise<Paged<Transfer>> {
  const { where, orderBy } = operatorTransferQuery(filter);
  const owner = filter.mode ? { mode: filter.mode } : {};
  return listPage(context, Transfer, { owner, where, page, usualOrder: orderBy.id });
}

function operatorTransferQuery({ status, merchantId, mode }: OperatorTransferFilter) {
  const statuses = [...(status ?? open)];
  const where = { status: { $in: statuses }, ...(merchantId && { merchantId }), ...(mode && { mode }) };
  const id: 'asc' | 'desc' = statuses.some((wanted) => open.includes(wanted)) ? 'asc' : 'desc';
  return { where, orderBy: { id } };
}

export async function getOperatorTransfer({ em }: Context, id: string, mode?: Mode): Promise<Transfer> {
  return (await em.findOne(Transfer, { id, ...(mode && { mode }) })) ?? throwNotFound(id);
}

/** Null for a transfer that was made before account numbers were saved. */
export function accountNumberOf({ sealer }: Context, { id, sealedAccountNumber }: Transfer): string | null {
  return sealedAccountNumber ? sealer.open(sealedAccountNumber, id) : null;
}

export async function settleByHand(
  context: WriteContext,
  which: { id: string; mode?: Mode },
  outcome: Outcome,
): Promise<Transfer> {
  const { id } = which;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const transfer = (await context.em.findOne(Transfer, which, { lockMode })) ?? throwNotFound(id);
  if (transfer.mode !== 'live') {
    throw statusConflict(transfer, 'is a test transfer: the simulator decides its outcome');
  }
  if (outcome.result !== 'reversed' && !transfer.isOpen)
    throw statusConflict(transfer, `is ${transfer.status} already`);
  if (outcome.result === 'reversed' && transfer.status !== 'completed') {
    const state = transfer.isOpen ? 'has not been settled yet: settle it or fail it' : `is ${transfer.status} already`;
    throw statusConflict(transfer, state);
  }
  return settleTransfer(context, id, outcome);
}

function throwNotFound(id: string): never {
  throw new AppError('resource_not_found', `There is no transfer ${id}`);
}

function statusConflict({ reference }: Transfer, state: string): AppError {
  return new AppError('transfer_status_conflict', `Transfer ${reference} ${state}`);
}
