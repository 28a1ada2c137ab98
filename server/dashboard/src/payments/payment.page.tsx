import { Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { NotFoundError, type Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { formatAmount } from '../kit/amount.ts';
import { Columns } from '../kit/columns.tsx';
import { CopyIconButton } from '../kit/copy.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote } from '../kit/may-call.tsx';
import { MetadataOf } from '../kit/metadata-of.tsx';
import { Page } from '../kit/page.tsx';
import { RecordHeading } from '../kit/record-heading.tsx';
import { Section } from '../kit/section.tsx';
import { CustomerOf } from './customer-of.tsx';
import { LineItemsTable } from './line-items-table.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { PaymentNote } from './payment-note.tsx';
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
  const { data: found, error } = payment;
  const title = found ? `${formatAmount(found.amount, found.currency)} · ${reference}` : `Payment ${reference}`;
  return (
    <Page
      title={error instanceof NotFoundError ? 'Payment not found' : title}
      heading={
        found && (
          <RecordHeading {...found}>
            <bdi>{reference}</bdi>
          </RecordHeading>
        )
      }
      beside={
        found && (
          <>
            <CopyIconButton value={reference} what="reference" />
            <PaymentStatus payment={found} hasAmount />
          </>
        )
      }
      back={<Back />}
      actions={found && <PaymentActions payment={found} />}
      about={
        <ReadOnlyNote
          what="refund or cancel a payment, add a note or resend its webhooks"
          operations={['createRefund', 'cancelCheckout', 'resendDelivery']}
        />
      }
    >
      <Loaded read={payment}>
        {(value) => (
          <>
            {value.reviewReason && <ReviewNote payment={value} reason={value.reviewReason} />}
            <Columns main={<Main payment={value} />} side={<Side payment={value} />} />
          </>
        )}
      </Loaded>
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

function Main({ payment }: { payment: Payment }): ReactNode {
  const story = usePaymentStory(payment.reference);
  return (
    <>
      <Loaded read={story}>
        {({ refundCount, ...rest }) => (
          <>
            <Section title="Timeline">
              <TimeLine payment={payment} {...rest} />
              {refundCount > maxRefundsWithEvents && (
                <Text size="sm" c="dimmed">
                  This payment has {refundCount} refunds. Events and deliveries are shown for the newest{' '}
                  {maxRefundsWithEvents} of them only.
                </Text>
              )}
            </Section>
            {rest.refunds.length > 0 && (
              <Section title="Refunds">
                <RefundsTable paymentReference={payment.reference} refunds={rest.refunds} total={refundCount} />
              </Section>
            )}
          </>
        )}
      </Loaded>
      {payment.lineItems.length > 0 && (
        <Section title="Items">
          <LineItemsTable payment={payment} />
        </Section>
      )}
      <PaymentNote payment={payment} />
    </>
  );
}

function Side({ payment }: { payment: Payment }): ReactNode {
  return (
    <>
      <PaymentDetails payment={payment} />
      <CustomerOf payment={payment} />
      <Section title="Metadata">
        <MetadataOf metadata={payment.metadata} />
      </Section>
    </>
  );
}
