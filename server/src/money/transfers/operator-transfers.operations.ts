import type { WithPrincipal, WriteContext } from '../../context.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { noteActFor } from '../../people/audit/audit.service.ts';
import { getMerchant, withMerchants } from '../../people/merchants/merchants.service.ts';
import { callerGuessLimits, requireOwnCode, type SecondStep } from '../../people/sessions/codes.service.ts';
import { requireProof } from '../../people/sessions/require-proof.ts';
import {
  accountNumberOf,
  getOperatorTransfer,
  type Outcome,
  pageOperatorTransfers,
  settleByHand,
} from './operator-transfers.service.ts';
import type { Transfer } from './transfer.entity.ts';
import { operatorTransferView } from './transfer.view.ts';

export const listOpenTransfers: Operation<'listOpenTransfers'> = read(async (context, { query }) => {
  const { mode } = context.principal;
  const { records, total } = await pageOperatorTransfers(context, { status: query.status, mode }, pageOf(query));
  const owned = await withMerchants(context, records);
  return { transfers: owned.map(([transfer, merchant]) => operatorTransferView(transfer, merchant)), total };
});

export const getOpenTransfer: Operation<'getOpenTransfer'> = read(async (context, { path }) => {
  const transfer = await getOperatorTransfer(context, path.id, context.principal.mode);
  return operatorTransferView(transfer, await getMerchant(context, transfer.merchantId));
});

export const revealAccountNumber: Operation<'revealAccountNumber'> = write(
  async (context, { path }, code: SecondStep) => {
    await requireOwnCode(context, code);
    const transfer = await getOperatorTransfer(context, path.id, context.principal.mode);
    note(context, 'revealAccountNumber', transfer);
    return { id: transfer.id, accountNumber: accountNumberOf(context, transfer) };
  },
  { before: (context, { body }) => requireProof(context, body), limits: callerGuessLimits },
);

export const settleTransfer: Operation<'settleTransfer'> = write((context, { path }) =>
  settleAndAudit(context, { id: path.id, action: 'settleTransfer', outcome: { result: 'completed' } }),
);

export const failTransfer: Operation<'failTransfer'> = write(
  (context, { path, body: { reason, failureCode = 'payout_failed' } }) => {
    const outcome = { result: 'failed', code: failureCode, message: reason } as const;
    return settleAndAudit(context, { id: path.id, action: 'failTransfer', outcome });
  },
);

export const reverseTransfer: Operation<'reverseTransfer'> = write(
  (context, { path, body: { reason, failureCode = 'returned_by_bank' } }) => {
    const outcome = { result: 'reversed', code: failureCode, message: reason } as const;
    return settleAndAudit(context, { id: path.id, action: 'reverseTransfer', outcome });
  },
);

interface Settlement {
  id: string;
  action: string;
  outcome: Outcome;
}

async function settleAndAudit(context: WriteContext & WithPrincipal, { id, action, outcome }: Settlement) {
  const transfer = await settleByHand(context, { id, mode: context.principal.mode }, outcome);
  note(context, action, transfer);
  return operatorTransferView(transfer, await getMerchant(context, transfer.merchantId));
}

function note(context: WriteContext & WithPrincipal, action: string, { merchantId, mode, reference }: Transfer): void {
  noteActFor(context, { merchantId, mode, action, subject: reference });
}
