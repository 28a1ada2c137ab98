import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { Payment, PaymentList } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useAsked } from '../app/asked-act.ts';
import { paged } from '../app/search.ts';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import {
  amountField,
  type Changed,
  createdField,
  currencyField,
  emailField,
  referenceField,
} from '../kit/filter-fields.ts';
import { FormButton } from '../kit/form-button.tsx';
import { Link } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { tabsOf } from '../kit/list-tabs.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { withTimes } from '../kit/period.ts';
import { isEmptyList, RecordList } from '../kit/record-list.tsx';
import { paymentMethodWords } from './card-words.ts';
import { NewCheckout } from './new-checkout.tsx';
import { inCurrency } from './payment-filters.ts';
import { paymentStates } from './payment-states.ts';
import { PaymentStatus } from './payment-status.tsx';
import { useLinkField } from './use-link-field.ts';

export function PaymentsPage(): ReactNode {
  const { page = 1, order, columns: _columns, status, ...filters } = useSearch({ from: '/$mode/payments' });
  const { merchant } = useSession();
  const mode = useMode();
  const own = merchant.currency;
  const currency = filters.currency ?? own;
  const [isCreating, { open, close }] = useDisclosure();
  useAsked('checkout', open);
  const linkField = useLinkField(filters.paymentLinkId);
  const matching = { ...withTimes(filters), ...(status && paymentStates[status].query) };
  const query = { ...matching, ...(order && { order }), ...paged({ page }) };
  const payments = useRead({
    key: ['payments', query],
    read: (tillhook, options) => tillhook.payments.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  const create = useMayCall('createCheckout') && (
    <FormButton needs="payment_processor" leftSection={<Link size={16} aria-hidden />} onClick={open}>
      Create a checkout link
    </FormButton>
  );
  const rewriteAmounts = (changed: Changed<'currency'>) => {
    const to = 'currency' in changed ? (changed.currency ?? own) : currency;
    return to === currency ? {} : inCurrency(filters, { from: currency, to });
  };
  const list = {
    read: payments,
    listOf: ({ payments: rows, total }: PaymentList) => ({ rows, total }),
    tabs: { label: 'Status', name: 'status', all: tabs, chosen: status },
    filters: {
      fields: [...fieldsIn(currency), ...linkField],
      chosen: filters,
      alsoChange: rewriteAmounts,
      noMatch: 'No payments match',
    },
  };
  return (
    <Page
      title="Payments"
      about={<ReadOnlyNote what="create a checkout link" operations={['createCheckout']} />}
      actions={!isEmptyList(list) && create}
      isWide
    >
      <RecordList
        {...list}
        name="payments"
        label="Payments"
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        search={{ label: 'Search payments', placeholder: 'Reference, customer, description or amount' }}
        csv={{ file: 'payments', read: (tillhook) => tillhook.payments.list(matching).csv() }}
        empty={
          <Empty title="No payments yet" action={create}>
            {mode === 'test' ? (
              <>
                Create a checkout link and send it to a customer, or create one from your server with{' '}
                <code>checkout.create</code>. In test mode, pay it with the card 4242 4242 4242 4242.
              </>
            ) : (
              <>
                Create a checkout link and send it to a customer, or create one from your server with{' '}
                <code>checkout.create</code>.
              </>
            )}
          </Empty>
        }
      />
      <NewCheckout isOpen={isCreating} onClose={close} />
    </Page>
  );
}

const tabs = tabsOf(paymentStates);

const columns: Column<Payment>[] = [
  { title: 'Reference', cell: (payment) => <PaymentLink {...payment} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (payment) => <Money {...payment} /> },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: (payment) => <PaymentStatus payment={payment} /> },
  {
    title: 'Customer',
    name: 'customer',
    onPhone: 'who',
    cell: ({ customerEmail }) => <bdi>{customerEmail}</bdi>,
  },
  { title: 'Description', name: 'description', cell: ({ description }) => description && <bdi>{description}</bdi> },
  {
    title: 'Method',
    name: 'method',
    isNarrow: true,
    cell: ({ paymentMethod }) => paymentMethod && paymentMethodWords(paymentMethod),
  },
  {
    title: 'Refunded',
    name: 'refunded',
    isExtra: true,
    isNumber: true,
    isNarrow: true,
    cell: ({ amountRefunded, currency }) => amountRefunded > 0 && <Money {...{ amount: amountRefunded, currency }} />,
  },
  {
    title: 'Completed',
    name: 'completed',
    isExtra: true,
    isNarrow: true,
    cell: ({ completedAt }) => completedAt && <Moment at={completedAt} />,
  },
  {
    title: 'Created',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

function PaymentLink({ reference, mode }: Payment): ReactNode {
  return (
    <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference }}>
      {reference}
    </AnchorLink>
  );
}

function fieldsIn(currency: string) {
  return [
    createdField,
    amountField(currency),
    currencyField,
    emailField('customerEmail'),
    referenceField('order-1042'),
  ];
}
