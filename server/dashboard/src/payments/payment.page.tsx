import { Group, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Delivery, Event, LineItem, Payment } from '@tillhook/sdk/session';
import { Fragment, type ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { Copy } from '../kit/copy.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { type Field, FieldList } from '../kit/field-list.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote } from '../kit/may-call.tsx';
import { MetadataOf } from '../kit/metadata-of.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { Section } from '../kit/section.tsx';
import { AttemptsTable, reasonOf } from './attempts-table.tsx';
import { cardWords } from './card-words.ts';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentStatus } from './payment-status.tsx';
import { RefundsTable } from './refunds-table.tsx';
import { ReviewNote } from './review-note.tsx';
import { TimeLine } from './time-line.tsx';
import { maxRefundsWithEvents, usePaymentStory } from './use-payment-story.ts';

export function PaymentPage(): ReactNode {
  const { reference } = useParams({ from: '/$mode/payments/$reference' });
  const payment = useRead({
    key: ['payments', reference],
    read: (tillhook, options) => tillhook.payments.get(reference, options),
    isLive: true,
  });
  return (
    <Page
      title="Payment"
      windowTitle={`Payment ${reference}`}
      back={<Back />}
      actions={payment.data && <PaymentActions payment={payment.data} />}
      about={
        <ReadOnlyNote
          what="refund or cancel a payment, or send its webhooks again"
          operations={['createRefund', 'cancelCheckout', 'resendDelivery']}
        />
      }
    >
      <Loaded read={payment}>{(found) => <Details payment={found} />}</Loaded>
    </Page>
  );
}

function Back(): ReactNode {
  return (
    <AnchorLink to="/$mode/payments" params={{ mode: useMode() }}>
      Payments
    </AnchorLink>
  );
}

function Details({ payment }: { payment: Payment }): ReactNode {
  const story = usePaymentStory(payment.reference);
  return (
    <>
      <Group gap="sm" align="center">
        <Text size="2rem" fw={600} lh={1.2}>
          <Money {...payment} />
        </Text>
        <Text c="dimmed">{payment.currency}</Text>
        <PaymentStatus payment={payment} hasAmount />
      </Group>
      {payment.reviewReason && <ReviewNote reason={payment.reviewReason} />}
      <Section title="Details">
        <FieldList fields={fieldsOf(payment)} />
      </Section>
      {payment.lineItems.length > 0 && (
        <Section title="Items">
          <LineItemsTable payment={payment} />
        </Section>
      )}
      <Loaded read={story}>
        {({ attempts, refunds, refundCount, events, deliveries }) => (
          <>
            <Section title="Timeline">
              <TimeLine {...{ payment, attempts, refunds, events, deliveries }} />
              {refundCount > maxRefundsWithEvents && (
                <Text size="sm" c="dimmed">
                  This payment has {refundCount} refunds. Events and deliveries are shown for the newest{' '}
                  {maxRefundsWithEvents} of them only.
                </Text>
              )}
            </Section>
            <Section title="Attempts">
              <AttemptsTable attempts={attempts} />
            </Section>
            {(payment.status === 'completed' || refunds.length > 0) && (
              <Section title="Refunds">
                <RefundsTable paymentReference={payment.reference} refunds={refunds} total={refundCount} />
              </Section>
            )}
            <Section title="Deliveries">
              <DeliveriesOf deliveries={deliveries}>{whyNothingWasSent(payment, events)}</DeliveriesOf>
            </Section>
          </>
        )}
      </Loaded>
      <Section title="Metadata">
        <MetadataOf metadata={payment.metadata} />
      </Section>
    </>
  );
}

/** No webhook was sent, because the payment has no events, or because no endpoint was subscribed to its events. */
function whyNothingWasSent({ status }: Payment, events: readonly Event[]): string {
  if (events.length > 0)
    return 'No endpoint was subscribed to the event when it happened. An endpoint that you add receives only later events.';
  if (status === 'expired')
    return 'It has no event now. Old events are deleted after a time, and older versions of this service sent none when a payment expired.';
  if (status === 'completed' || status === 'failed') return 'It has no event now. Old events are deleted after a time.';
  return 'Nothing was sent yet. Your endpoints receive a webhook when the payment is completed, has failed or has expired.';
}

function fieldsOf(payment: Payment): Field[] {
  const { paymentMethod, description, cancelledBy, checkoutUrl, callbackUrl, cancelUrl, completedAt, amountRefunded } =
    payment;
  return [
    ['Reference', <Copy key="reference" value={payment.reference} what="reference" />],
    ['Id', <Copy key="id" value={payment.id} what="id" />],
    ['Customer', <bdi key="customer">{payment.customerEmail}</bdi>],
    ['Payment link', payment.paymentLinkId && <LinkOf key="payment-link" payment={payment} />],
    ['Description', description && <bdi key="description">{description}</bdi>],
    ['Card', paymentMethod && cardWords(paymentMethod)],
    ['Refunded', amountRefunded > 0 ? <Refunded key="refunded" payment={payment} /> : null],
    ['Why it was declined', reasonOf(payment)],
    ['Cancelled by', cancelledBy && `The ${cancelledBy}`],
    ['Created', <ExactMoment key="created" at={payment.createdAt} />],
    ['Completed', completedAt && <ExactMoment key="completed" at={completedAt} />],
    endOf(payment),
    ['Link to the checkout', checkoutUrl && <Copy key="link" value={checkoutUrl} what="link" />],
    ['The customer returns to', callbackUrl && <bdi key="callback">{callbackUrl}</bdi>],
    ['A customer who leaves goes to', cancelUrl && <bdi key="cancel">{cancelUrl}</bdi>],
  ];
}

function LinkOf({ payment: { paymentLinkId, mode } }: { payment: Payment }): ReactNode {
  return (
    <AnchorLink to="/$mode/payment-links/$id" params={{ mode, id: paymentLinkId ?? '' }}>
      See the link
    </AnchorLink>
  );
}

function Refunded({ payment: { amount, amountRefunded, currency } }: { payment: Payment }): ReactNode {
  return (
    <>
      <Money amount={amountRefunded} currency={currency} /> of <Money amount={amount} currency={currency} />
    </>
  );
}

function endOf({ status, cancelledBy, expiresAt, failureCode, mode }: Payment): Field {
  if (status === 'completed' || status === 'failed') return ['Can be paid until', null];
  if (status === 'expired') return [cancelledBy ? 'Cancelled' : 'Expired', <ExactMoment key="end" at={expiresAt} />];
  // In live mode the processor decides how long the customer can try again, so the page shows no limit.
  const isCutShort = status === 'pending' && failureCode !== null && mode === 'test';
  return [
    'Can be paid until',
    <Fragment key="end">
      <ExactMoment at={expiresAt} />
      {isCutShort && '. After a declined card there are 15 minutes at most to try again.'}
    </Fragment>,
  ];
}

type Numbered = LineItem & { number: number };

export function LineItemsTable({ payment: { lineItems, currency } }: { payment: Payment }): ReactNode {
  const rows = lineItems.map((item, index) => ({ ...item, number: index + 1 }));
  return <DataTable label="Items" columns={columnsIn(currency)} rows={rows} keyOf={({ number }) => String(number)} />;
}

function columnsIn(currency: string): Column<Numbered>[] {
  return [
    { title: 'Item', cell: ({ name }) => <bdi>{name}</bdi>, isRowHeader: true },
    { title: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
    {
      title: 'Price of one',
      isNumber: true,
      cell: ({ unitAmount }) => <Money amount={unitAmount} currency={currency} />,
    },
    {
      title: 'Total',
      isNumber: true,
      cell: ({ quantity, unitAmount }) => <Money amount={quantity * unitAmount} currency={currency} />,
    },
  ];
}

interface DeliveriesOfProps {
  deliveries: readonly Delivery[];
  children: ReactNode;
}

export function DeliveriesOf({ deliveries, children }: DeliveriesOfProps): ReactNode {
  if (deliveries.length > 0) {
    return <DataTable label="Deliveries" columns={deliveryColumnsShown} rows={deliveries} keyOf={({ id }) => id} />;
  }
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

const { event, status, endpoint, attempts, created } = deliveryColumns;
const deliveryColumnsShown = [event, status, endpoint, attempts, created];
