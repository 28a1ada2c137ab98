import { type Operations, read, write } from '../operation/operation.ts';

export const refundsOperations = {
  createRefund: write(async () => {
    throw new Error('Refunds are not there yet.');
  }),

  listRefunds: read(async () => ({ refunds: [], total: 0 })),

  getRefund: read(async () => {
    throw new Error('Refunds are not there yet.');
  }),
} satisfies Partial<Operations>;
