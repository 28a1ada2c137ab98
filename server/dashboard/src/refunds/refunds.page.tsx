import { useSearch } from '@tanstack/react-router';
import type { Refund } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { createdField, emailField } from '../kit/filter-fields.ts';
import { AnchorLink } from '../kit/links.tsx';
import { tabsOf } from '../kit/list-tabs.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { withTimes } from '../kit/period.ts';
import { RecordList } from '../kit/record-list.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { refundStates } from './refund-filters.ts';

export function RefundsPage(): ReactNode {
  const { page = 1, order, columns: _columns, status, ...filters } = useSearch({ from: '/$mode/refunds' });
  const matching = { ...withTimes(filters), ...(status && { status: [status] }) };
  const query = { ...matching, ...(order && { order }), ...paged({ page }) };
  const refunds = useRead({
    key: ['refunds', query],
    read: (tillhook, options) => tillhook.refunds.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  return (
    <Page title="Refunds" isWide>
      <RecordList
        name="refunds"
        label="Refunds"
        read={refunds}
        listOf={({ refunds: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        tabs={{ label: 'Status', name: 'status', all: tabs, chosen: status }}
        search={{ label: 'Search refunds', placeholder: 'Reference, payment, reason or amount' }}
        filters={{ fields, chosen: filters, noMatch: 'No refunds match' }}
        csv={{ file: 'refunds', read: (tillhook) => tillhook.refunds.list(matching).csv() }}
        empty={<NoRefunds />}
      />
    </Page>
  );
}

function NoRefunds(): ReactNode {
  const mode = useMode();
  return (
    <Empty title="No refunds yet">
      To refund a payment, open it in{' '}
      <AnchorLink to="/$mode/payments" params={{ mode }}>
        Payments
      </AnchorLink>{' '}
      and choose Refund. From your server, call <code>refunds.create</code>.
    </Empty>
  );
}

const tabs = tabsOf(refundStates);

const fields = [createdField, emailField('customerEmail')];

const columns: Column<Refund>[] = [
  { title: 'Reference', cell: (refund) => <RefundLink {...refund} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (refund) => <Money {...refund} /> },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Payment', name: 'payment', cell: ({ paymentReference }) => <bdi>{paymentReference}</bdi> },
  { title: 'Customer', onPhone: 'who', cell: ({ customerEmail }) => <bdi>{customerEmail}</bdi> },
  {
    title: 'Reason',
    name: 'reason',
    cell: ({ reason, failureReason }) => <bdi>{failureReason ?? reason}</bdi>,
  },
  {
    title: 'Created',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

/** A refund is shown on the page of its payment. */
function RefundLink({ reference, paymentReference, mode }: Refund): ReactNode {
  return (
    <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference: paymentReference }}>
      {reference}
    </AnchorLink>
  );
}
