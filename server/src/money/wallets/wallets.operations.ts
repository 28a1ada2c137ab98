import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read, write } from '../../operation/operation.ts';
import { listWalletEntries, listWallets, readWalletEntries } from './statement.service.ts';
import { fundTestWallet, topUpTransferWallet } from './wallets.service.ts';
import { entryColumns, entryView, exactEntryView, walletView } from './wallets.view.ts';

export const walletsOperations = {
  listWallets: read(async (context) => {
    const wallets = (await listWallets(context)).map(walletView);
    return { wallets, total: wallets.length };
  }),

  topUpTransferWallet: write(async (context, { body }) => walletView(await topUpTransferWallet(context, body)), {
    audited: (_wallet, { body }) => ({ subject: body.reference ?? null }),
  }),

  listWalletEntries: read(
    async (context, { path, query }) => {
      const asked = { page: pageOf(query), filter: query };
      const { records, total } = await listWalletEntries(context, path.kind, asked);
      return { entries: records.map((entry) => entryView(entry, path.kind)), total };
    },
    {
      csv: (context, { path, query }) =>
        csvOf(entryColumns, readWalletEntries(context, path.kind, query), (entry) => exactEntryView(entry, path.kind)),
    },
  ),

  testFundWallet: write(async (context, { body }) => walletView(await fundTestWallet(context, body)), {
    audited: () => ({}),
  }),
} satisfies Partial<Operations>;
