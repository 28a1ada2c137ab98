import type { Command } from 'commander';
import {
  csvOption,
  decisionOption,
  example,
  fromOption,
  merchantOption,
  modeOption,
  mostListed,
  parseId,
  paymentStatusOption,
  reviewReasonOption,
  toOption,
} from './arguments.ts';
import type { Actions } from './perform.ts';

const work = () => import('./work/payments.ts');

export function addPaymentCommands(program: Command, { inTransaction }: Actions): void {
  const payments = program
    .command('payments')
    .description('the payments of merchants, and those that an operator has to decide')
    .addHelpText('after', example('tillhook payments review'));
  payments
    .command('list')
    .description(`show the newest ${mostListed} payments of a merchant, or with --csv all as a file`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(paymentStatusOption())
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(csvOption())
    .addHelpText('after', example('tillhook payments list --mode live --status completed --from 2026-11-01'))
    .action(inTransaction(work, 'list', { takesLong: true }));
  payments
    .command('review')
    .description(
      'show the payments that were paid twice or with another amount, that are disputed, or whose refund has no funds',
    )
    .addHelpText('after', example('tillhook payments review'))
    .action(inTransaction(work, 'review'));
  payments
    .command('resolve')
    .description(
      'decide a payment: completed credits the merchant with the amount asked for, unless it was credited already; with ' +
        'failed, you refund the customer. For a dispute or a refund, this only ends the review, and no money moves',
    )
    .argument('<id>', 'as payments review shows it', parseId)
    .addOption(decisionOption())
    .addOption(reviewReasonOption())
    .addHelpText('after', example('tillhook payments resolve 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --as completed'))
    .action(inTransaction(work, 'resolve'));
}
