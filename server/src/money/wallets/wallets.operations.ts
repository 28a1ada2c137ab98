import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import * as statement from './statement.service.ts';
import * as wallets from './wallets.service.ts';
import { entryColumns, entryView, exactEntryView, walletView } from './wallets.view.ts';

export const listWallets: Operation<'listWallets'> = read(async (context) => {
  const wallets = (await statement.listWallets(context)).map(walletView);
  return { wallets, total: wallets.length };
});

export const topUpTransferWallet: Operation<'topUpTransferWallet'> = write(
  async (context, { body }) => walletView(await wallets.topUpTransferWallet(context, body)),
  {
    audited: (_wallet, { body }) => ({ subject: body.reference ?? null }),
  },
);

export const listWalletEntries: Operation<'listWalletEntries'> = read(
  async (context, { path, query }) => {
    const page = pageOf(query);
    const { records, total } = await statement.listWalletEntries(context, path.kind, { page, filter: query });
    return { entries: records.map((entry) => entryView(entry, path.kind)), total };
  },
  {
    csv: (context, { path, query }) =>
      csvOf(entryColumns, statement.readWalletEntries(context, path.kind, query), (entry) =>
        exactEntryView(entry, path.kind),
      ),
  },
);

export const testFundWallet: Operation<'testFundWallet'> = write(
  async (context, { body }) => walletView(await wallets.fundTestWallet(context, body)),
  {
    audited: () => ({}),
  },
);
