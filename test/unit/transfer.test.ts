import { Transfer, type TransferStatus } from '@tillhook/server/src/money/transfers/transfer.entity.ts';
import test from 'ava';

const now = new Date('2026-11-21T09:30:00.000Z');
const failure = { code: 'account_not_found', message: 'The account does not exist' };

const moves: Record<string, { from: TransferStatus[]; to: TransferStatus; by: (transfer: Transfer) => void }> = {
  accept: { from: ['pending'], to: 'processing', by: (transfer) => transfer.accept(now) },
  complete: { from: ['pending', 'processing'], to: 'completed', by: (transfer) => transfer.complete(now) },
  fail: { from: ['pending', 'processing'], to: 'failed', by: (transfer) => transfer.fail(failure, now) },
  reverse: { from: ['completed'], to: 'reversed', by: (transfer) => transfer.reverse(failure, now) },
};

const statuses: TransferStatus[] = ['pending', 'processing', 'completed', 'failed', 'reversed'];

for (const [name, { from, to, by }] of Object.entries(moves)) {
  for (const status of statuses) {
    const isAllowed = from.includes(status);
    test(`${name} ${isAllowed ? `makes a ${status} transfer ${to}` : `refuses a ${status} transfer`}`, (t) => {
      const transfer = Object.assign(new Transfer(), { id: 'an-id', status });

      if (isAllowed) by(transfer);
      else t.throws(() => by(transfer), { message: `Transfer an-id is ${status} and cannot become ${to}.` });

      t.is(transfer.status, isAllowed ? to : status);
    });
  }
}
