/** What operators of the service do with the transfers of all merchants. The merchant's audit log tells of each. */
import { noteActFor } from '../audit/audit.service.ts';
import { requireOwnCode } from '../auth/codes.service.ts';
import { requirePassword } from '../auth/dashboard-users.service.ts';
import { merchantView } from '../auth/merchant.view.ts';
import { getMerchant, withMerchants } from '../auth/merchants.service.ts';
import type { Called, WriteContext } from '../context.ts';
import { guessesOfCaller } from '../http/guesses.ts';
import { type Operations, read, write } from '../http/operation.ts';
import { pageOf } from '../kit/pagination.ts';
import { accountNumberOf, getPayout, type Outcome, pagePayouts, settleByHand } from './operator-payouts.service.ts';
import type { Transfer } from './transfer.entity.ts';
import { transferView } from './transfer.view.ts';

export const operatorTransfersOperations = {
  listOpenTransfers: read(async (context, { query }) => {
    const { mode } = context.principal;
    const { records, total } = await pagePayouts(context, { status: query.status, mode }, pageOf(query));
    const transfers = (await withMerchants(context, records)).map(([transfer, merchant]) => ({
      merchant: merchantView(merchant),
      transfer: transferView(transfer),
    }));
    return { transfers, total };
  }),

  getOpenTransfer: read(async (context, { path }) => {
    const transfer = await getPayout(context, path.id, context.principal.mode);
    return {
      merchant: merchantView(await getMerchant(context, transfer.merchantId)),
      transfer: transferView(transfer),
    };
  }),

  revealAccountNumber: write(
    async (context, { path, body }) => {
      await requireOwnCode(context, body.code);
      const transfer = await getPayout(context, path.id, context.principal.mode);
      note(context, 'revealAccountNumber', transfer);
      return { id: transfer.id, accountNumber: accountNumberOf(context, transfer) };
    },
    { beforeTransaction: (context, { body }) => requirePassword(context, body.password), limits: [guessesOfCaller] },
  ),

  settleTransfer: write((context, { path }) =>
    conclude(context, { id: path.id, action: 'settleTransfer', outcome: { result: 'completed' } }),
  ),

  failTransfer: write((context, { path, body: { reason, failureCode = 'payout_failed' } }) => {
    const outcome = { result: 'failed', code: failureCode, message: reason } as const;
    return conclude(context, { id: path.id, action: 'failTransfer', outcome });
  }),

  reverseTransfer: write((context, { path, body: { reason, failureCode = 'returned_by_bank' } }) => {
    const outcome = { result: 'reversed', code: failureCode, message: reason } as const;
    return conclude(context, { id: path.id, action: 'reverseTransfer', outcome });
  }),
} satisfies Partial<Operations>;

interface Conclusion {
  id: string;
  action: string;
  outcome: Outcome;
}

async function conclude(context: WriteContext & Called, { id, action, outcome }: Conclusion) {
  const transfer = await settleByHand(context, { id, mode: context.principal.mode }, outcome);
  note(context, action, transfer);
  const merchant = await getMerchant(context, transfer.merchantId);
  return { merchant: merchantView(merchant), transfer: transferView(transfer) };
}

function note(context: WriteContext & Called, action: string, { merchantId, mode, reference }: Transfer): void {
  noteActFor(context, { merchantId, mode, action, subject: reference });
}
