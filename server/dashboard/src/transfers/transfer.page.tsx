import { useParams } from '@tanstack/react-router';
import { NotFoundError, type Transfer } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { EntriesTable, entryColumns } from '../balances/entries-table.tsx';
import { formatAmount } from '../kit/amount.ts';
import { Columns } from '../kit/columns.tsx';
import { Copy } from '../kit/copy.tsx';
import { type Field, FieldList } from '../kit/field-list.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { MetadataOf } from '../kit/metadata-of.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { RecordHeading } from '../kit/record-heading.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TableSkeleton } from '../kit/table-skeleton.tsx';
import { TransferTimeLine } from './transfer-time-line.tsx';
import { useTransferEvents } from './use-transfer-events.ts';

export function TransferPage(): ReactNode {
  const { reference } = useParams({ from: '/$mode/transfers/$reference' });
  const transfer = useRead({
    key: ['transfers', reference],
    read: (tillhook, options) => tillhook.transfers.get(reference, options),
    isLive: true,
  });
  const { data: found, error } = transfer;
  const title = found ? `${formatAmount(found.amount, found.currency)} · ${reference}` : `Transfer ${reference}`;
  return (
    <Page
      title={error instanceof NotFoundError ? 'Transfer not found' : title}
      heading={
        found && (
          <RecordHeading {...found}>
            to <bdi>{found.recipient.name}</bdi>
          </RecordHeading>
        )
      }
      beside={found && <StatusBadge status={found.status} />}
      back={<Back />}
      about={found && meaningOf(found)}
    >
      <Loaded read={transfer}>
        {(value) => <Columns main={<Main transfer={value} />} side={<Side transfer={value} />} />}
      </Loaded>
    </Page>
  );
}

function Back(): ReactNode {
  return (
    <AnchorLink to="/$mode/transfers" params={{ mode: useMode() }}>
      Transfers
    </AnchorLink>
  );
}

function meaningOf({ status, mode }: Transfer): string {
  return (mode === 'live' && liveMeanings[status]) || meanings[status];
}

const meanings: Record<Transfer['status'], string> = {
  pending: 'The money is reserved. The transfer will be sent to the bank next.',
  processing: 'The bank is processing it. The money is reserved until then.',
  completed: 'The recipient’s bank accepted the money.',
  failed: 'The bank refused it. The amount and the fee were returned to your Transfer wallet.',
  reversed:
    'The recipient’s bank returned the money. The amount was returned to your Transfer wallet, but not the fee.',
};

/** In live mode an operator sends the money and then enters the result. */
const liveMeanings: Partial<typeof meanings> = {
  pending: 'The money is reserved. The operator of this service will send it.',
  processing:
    'The operator of this service sends it and records here whether it has arrived. The money is reserved until then.',
  failed: 'It could not be sent. The amount and the fee were returned to your Transfer wallet.',
};

function Main({ transfer }: { transfer: Transfer }): ReactNode {
  const { reference, currency } = transfer;
  const query = { reference, currency, limit: 100 };
  const entries = useRead({
    key: ['transfers', reference, 'entries'],
    read: (tillhook, options) => tillhook.wallets.listEntries('transfer', query, options),
    isLive: true,
  });
  const happened = useTransferEvents(reference);
  return (
    <>
      <Section title="Timeline">
        <Loaded read={happened} skeleton={<LinesSkeleton lines={3} />}>
          {(found) => <TransferTimeLine transfer={transfer} {...found} />}
        </Loaded>
      </Section>
      <Section title="In your Transfer wallet">
        <Loaded read={entries} skeleton={<TableSkeleton columns={columns} count={2} />}>
          {({ entries: rows }) => <EntriesTable label="Ledger entries" entries={rows} columns={columns} />}
        </Loaded>
      </Section>
    </>
  );
}

/** All entries have the reference of the transfer. */
const columns = entryColumns.filter(({ title }) => title !== 'Reference');

function Side({ transfer }: { transfer: Transfer }): ReactNode {
  return (
    <>
      <Section title="Details">
        <FieldList fields={fieldsOf(transfer)} />
      </Section>
      <Section title="Metadata">
        <MetadataOf metadata={transfer.metadata} />
      </Section>
    </>
  );
}

function fieldsOf({ recipient, narration, fee, currency, reference, id }: Transfer): Field[] {
  return [
    ['Reference', <Copy key="reference" value={reference} what="reference" />],
    ['Account', `•••• ${recipient.accountNumberLast4}, bank ${recipient.bankCode}`],
    ['Narration', narration && <bdi key="narration">{narration}</bdi>],
    ['Fee', <Money key="fee" amount={fee} currency={currency} />],
    ['Transfer ID', <Copy key="id" value={id} what="transfer ID" />],
  ];
}
