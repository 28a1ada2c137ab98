import { Group, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type Customer, NotFoundError, type Payment, type Refund } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Columns } from '../kit/columns.tsx';
import { Copy, CopyIconButton } from '../kit/copy.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { type Field, FieldList } from '../kit/field-list.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ExactMoment, Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { PaymentStatus } from '../payments/payment-status.tsx';
import { Volume } from './volume.tsx';

const shown = 10;

export function CustomerPage(): ReactNode {
  const { id } = useParams({ from: '/$mode/customers/$id' });
  const mode = useMode();
  const customer = useRead({
    key: ['customers', id],
    read: (tillhook, options) => tillhook.customers.get(id, options),
    isLive: true,
  });
  const { data: found, error } = customer;
  return (
    <Page
      title={error instanceof NotFoundError ? 'Customer not found' : (found?.email ?? 'Customer')}
      beside={found && <CopyIconButton value={found.email} what="email" />}
      back={
        <AnchorLink to="/$mode/customers" params={{ mode }}>
          Customers
        </AnchorLink>
      }
    >
      <Loaded read={customer}>
        {(value) => <Columns main={<Records customer={value} />} side={<Details customer={value} />} />}
      </Loaded>
    </Page>
  );
}

function Records({ customer: { email, payments: paymentCount } }: { customer: Customer }): ReactNode {
  const mode = useMode();
  const query = { customerEmail: email, limit: shown };
  const records = useRead({
    key: ['customers', email, 'records', paymentCount],
    read: (tillhook, options) =>
      Promise.all([tillhook.payments.list(query, options), tillhook.refunds.list(query, options)]),
    isLive: true,
    keepsPrevious: true,
  });
  return (
    <Loaded read={records}>
      {([paid, refunded]) => (
        <>
          <Section title="Payments" isBare>
            <DataTable
              label="Payments"
              columns={paymentColumns}
              rows={paid.payments}
              keyOf={({ id }) => id}
              marksNew
              isOneLine
            />
            {paid.total > shown && (
              <Group justify="end" mt="sm">
                <AnchorLink to="/$mode/payments" params={{ mode }} search={{ customerEmail: email }}>
                  {`See all ${paid.total} payments`}
                </AnchorLink>
              </Group>
            )}
          </Section>
          <Section title="Refunds" isBare={refunded.total > 0}>
            {refunded.total > 0 ? (
              <DataTable
                label="Refunds"
                columns={refundColumns}
                rows={refunded.refunds}
                keyOf={({ id }) => id}
                isOneLine
              />
            ) : (
              <Text size="sm" c="dimmed">
                No refunds
              </Text>
            )}
            {refunded.total > shown && (
              <Group justify="end" mt="sm">
                <AnchorLink to="/$mode/refunds" params={{ mode }} search={{ customerEmail: email }}>
                  {`See all ${refunded.total} refunds`}
                </AnchorLink>
              </Group>
            )}
          </Section>
        </>
      )}
    </Loaded>
  );
}

function Details({ customer }: { customer: Customer }): ReactNode {
  return (
    <Section title="Details">
      <FieldList fields={fieldsOf(customer)} />
    </Section>
  );
}

function fieldsOf(customer: Customer): Field[] {
  const { id, payments, completedPayments, volumes, firstPaymentAt, lastPaymentAt, countedAt } = customer;
  const isRefunded = volumes.some(({ amountRefunded }) => amountRefunded > 0);
  return [
    ['Payments', payments],
    ['Completed payments', completedPayments],
    ['Volume', volumes.length > 0 ? <Volume key="volume" volumes={volumes} of="amount" /> : null],
    ['Refunded', isRefunded ? <Volume key="refunded" volumes={volumes} of="amountRefunded" /> : null],
    ['First payment', <ExactMoment key="first" at={firstPaymentAt} />],
    ['Last payment', <ExactMoment key="last" at={lastPaymentAt} />],
    ['Counted', countedAt && <Moment key="counted" at={countedAt} />],
    ['Customer ID', <Copy key="id" value={id} what="customer ID" />],
  ];
}

const paymentColumns: Column<Payment>[] = [
  { title: 'Reference', onPhone: 'who', cell: (payment) => <PaymentLink {...payment} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (payment) => <Money {...payment} /> },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: (payment) => <PaymentStatus payment={payment} /> },
  { title: 'Created', isNarrow: true, onPhone: 'when', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const refundColumns: Column<Refund>[] = [
  {
    title: 'Reference',
    cell: ({ reference, paymentReference, mode }) => (
      <PaymentLink reference={paymentReference} mode={mode}>
        {reference}
      </PaymentLink>
    ),
  },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (refund) => <Money {...refund} /> },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Payment', onPhone: 'who', cell: ({ paymentReference }) => <bdi>{paymentReference}</bdi> },
  { title: 'Created', isNarrow: true, onPhone: 'when', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

interface PaymentLinkProps extends Pick<Payment, 'reference' | 'mode'> {
  children?: ReactNode;
}

function PaymentLink({ reference, mode, children = reference }: PaymentLinkProps): ReactNode {
  return (
    <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference }}>
      {children}
    </AnchorLink>
  );
}
