import { useSearch } from '@tanstack/react-router';
import type { Customer } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { ShortVolume } from './volume.tsx';

export function CustomersPage(): ReactNode {
  const { page = 1, order, columns: _columns, ...filters } = useSearch({ from: '/$mode/customers' });
  const query = { ...filters, ...(order && { order }), ...paged({ page }) };
  const customers = useRead({
    key: ['customers', query],
    read: (tillhook, options) => tillhook.customers.list(query, options),
    keepsPrevious: true,
  });
  return (
    <Page title="Customers" isWide>
      <RecordList
        name="customers"
        label="Customers"
        read={customers}
        listOf={({ customers: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        search={{ label: 'Search customers', placeholder: 'Part of the email address' }}
        filters={{ fields: [], chosen: filters, noMatch: 'No customers match' }}
        csv={{ file: 'customers', read: (tillhook) => tillhook.customers.list(filters).csv() }}
        empty={
          <Empty title="No customers yet">
            A customer is an email address for which a checkout was created. The first payment adds one.
          </Empty>
        }
      />
    </Page>
  );
}

const columns: Column<Customer>[] = [
  { title: 'Email', onPhone: 'lead', cell: (customer) => <CustomerLink {...customer} /> },
  { title: 'Payments', name: 'payments', isNumber: true, isNarrow: true, cell: ({ payments }) => payments },
  {
    title: 'Completed',
    name: 'completed',
    isNumber: true,
    isNarrow: true,
    cell: ({ completedPayments }) => completedPayments,
  },
  {
    title: 'Volume',
    isNumber: true,
    isNarrow: true,
    onPhone: 'who',
    cell: ({ volumes }) => <ShortVolume volumes={volumes} of="amount" />,
  },
  {
    title: 'Refunded',
    name: 'refunded',
    isNumber: true,
    isNarrow: true,
    cell: ({ volumes }) => <ShortVolume volumes={volumes} of="amountRefunded" />,
  },
  {
    title: 'First payment',
    name: 'first',
    isNarrow: true,
    isExtra: true,
    cell: ({ firstPaymentAt }) => <Moment at={firstPaymentAt} />,
  },
  {
    title: 'Last payment',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ lastPaymentAt }) => <Moment at={lastPaymentAt} />,
  },
];

function CustomerLink({ id, email, mode }: Customer): ReactNode {
  return (
    <AnchorLink to="/$mode/customers/$id" params={{ mode, id }}>
      {email}
    </AnchorLink>
  );
}
