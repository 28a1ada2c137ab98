import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useAsked } from '../app/asked-act.ts';
import { paged } from '../app/search.ts';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import {
  amountField,
  choiceField,
  currencyField,
  emailField,
  momentFields,
  referenceField,
} from '../kit/filter-fields.ts';
import type { Changed } from '../kit/filters.tsx';
import { Link } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { cardWords } from './card-words.ts';
import { NewCheckout } from './new-checkout.tsx';
import { inCurrency, paymentStatuses } from './payment-filters.ts';
import { PaymentStatus } from './payment-status.tsx';

export function PaymentsPage(): ReactNode {
  const { page = 1, ...filters } = useSearch({ from: '/$mode/payments' });
  const { merchant } = useSession();
  const own = merchant.currency;
  const currency = filters.currency ?? own;
  const [isCreating, { open, close }] = useDisclosure();
  useAsked('checkout', open);
  const query = { ...filters, ...paged({ page }) };
  const payments = useRead({
    key: ['payments', query],
    read: (tillhook, options) => tillhook.payments.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  const create = useMayCall('createCheckout') && (
    <Button leftSection={<Link size={16} aria-hidden />} onClick={open}>
      Create a checkout link
    </Button>
  );
  const rewriteAmounts = (changed: Changed<'currency'>) => {
    const to = 'currency' in changed ? (changed.currency ?? own) : currency;
    return to === currency ? {} : inCurrency(filters, { from: currency, to });
  };
  return (
    <Page
      title="Payments"
      about={<ReadOnlyNote what="create a checkout link" operations={['createCheckout']} />}
      actions={
        <>
          <CsvButton file="payments" read={(tillhook) => tillhook.payments.list(filters).csv()} />
          {create}
        </>
      }
    >
      <RecordList
        label="Payments"
        read={payments}
        listOf={({ payments: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        filters={{
          fields: fieldsIn(currency),
          chosen: filters,
          alsoChange: rewriteAmounts,
          noMatch: 'No payment matches',
        }}
        empty={
          <Empty title="There is no payment yet">
            Create a checkout link with the button above and send it to a customer, or create one from your server with{' '}
            <code>checkout.create</code>. In test mode, pay it with the card 4242 4242 4242 4242.
          </Empty>
        }
      />
      <NewCheckout isOpen={isCreating} onClose={close} />
    </Page>
  );
}

const columns: Column<Payment>[] = [
  { title: 'Reference', cell: (payment) => <PaymentLink {...payment} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, cell: (payment) => <Money {...payment} /> },
  { title: 'Status', isNarrow: true, cell: (payment) => <PaymentStatus payment={payment} /> },
  { title: 'Customer', cell: ({ customerEmail }) => <bdi>{customerEmail}</bdi> },
  { title: 'Description', cell: ({ description }) => <Description text={description} /> },
  { title: 'Card', isNarrow: true, cell: ({ paymentMethod }) => paymentMethod && cardWords(paymentMethod) },
  { title: 'Created', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** Shows only the first line of the description: the page of the payment shows the whole description. */
function Description({ text }: { text: string | null }): ReactNode {
  return (
    text && (
      <Text component="bdi" inherit lineClamp={1} title={text}>
        {text}
      </Text>
    )
  );
}

function PaymentLink({ reference, mode }: Payment): ReactNode {
  return (
    <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference }}>
      {reference}
    </AnchorLink>
  );
}

function fieldsIn(currency: string) {
  return [
    choiceField('status', 'Status', paymentStatuses),
    emailField('customerEmail'),
    referenceField('order-1042'),
    currencyField,
    amountField('minAmount', 'Amount from', currency),
    amountField('maxAmount', 'Amount to', currency),
    ...momentFields,
  ];
}
