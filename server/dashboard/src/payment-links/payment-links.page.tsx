import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { PaymentLink, PaymentLinkList } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useAsked } from '../app/asked-act.ts';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { FormButton } from '../kit/form-button.tsx';
import { Plus } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { tabsOf } from '../kit/list-tabs.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { isEmptyList, RecordList } from '../kit/record-list.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { linkStates } from './link-filters.ts';
import { LinkPrice } from './link-price.tsx';

export function PaymentLinksPage(): ReactNode {
  const { page = 1, order, status, search } = useSearch({ from: '/$mode/payment-links' });
  const [isCreating, { open, close }] = useDisclosure();
  useAsked('payment-link', open);
  const query = {
    ...(status && { status: [status] }),
    ...(search && { search }),
    ...(order && { order }),
    ...paged({ page }),
  };
  const links = useRead({
    key: ['payment-links', query],
    read: (tillhook, options) => tillhook.paymentLinks.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  const create = useMayCall('createPaymentLink') && (
    <FormButton needs="payment_processor" leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      Create a payment link
    </FormButton>
  );
  const list = {
    read: links,
    listOf: ({ paymentLinks: rows, total }: PaymentLinkList) => ({ rows, total }),
    tabs: { label: 'Status', name: 'status', all: tabs, chosen: status },
    search: { label: 'Search payment links', placeholder: 'Name, description or amount' },
    filters: { fields: [], chosen: { search }, noMatch: 'No payment links match' },
  };
  return (
    <Page
      title="Payment links"
      about={<ReadOnlyNote what="create or change a payment link" operations={['createPaymentLink']} />}
      actions={!isEmptyList(list) && create}
      isWide
    >
      <RecordList
        {...list}
        name="payment-links"
        label="Payment links"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No payment links yet" action={create}>
            A payment link can be paid by any number of customers. Share it, or print its QR code. Create one here, or
            from your server with <code>paymentLinks.create</code>.
          </Empty>
        }
      />
      <LinkDialog isOpen={isCreating} onClose={close} />
    </Page>
  );
}

const tabs = tabsOf(linkStates);

const columns: Column<PaymentLink>[] = [
  { title: 'Name', onPhone: 'lead', cell: (link) => <LinkName link={link} /> },
  {
    title: 'Price',
    name: 'price',
    isNumber: true,
    isNarrow: true,
    onPhone: 'who',
    cell: (link) => <LinkPrice link={link} />,
  },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: (link) => <StatusBadge status={link.status} /> },
  {
    title: 'Payments',
    name: 'payments',
    isNumber: true,
    isNarrow: true,
    cell: ({ completedPayments }) => completedPayments,
  },
  {
    title: 'Paid',
    name: 'paid',
    isNumber: true,
    isNarrow: true,
    cell: ({ completedAmount, currency }) => <Money amount={completedAmount} currency={currency} />,
  },
  {
    title: 'Created',
    name: 'created',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

function LinkName({ link: { id, name, mode } }: { link: PaymentLink }): ReactNode {
  return (
    <AnchorLink to="/$mode/payment-links/$id" params={{ mode, id }}>
      <bdi>{name}</bdi>
    </AnchorLink>
  );
}
