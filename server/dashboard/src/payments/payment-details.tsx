import type { Payment } from '@tillhook/sdk/session';
import { Fragment, type ReactNode } from 'react';
import { Copy, CopyLink } from '../kit/copy.tsx';
import { type Field, FieldList } from '../kit/field-list.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Section } from '../kit/section.tsx';
import { reasonOf } from './attempt-words.ts';
import { paymentMethodWords } from './card-words.ts';

/** What the title and the timeline say is not repeated here. */
export function PaymentDetails({ payment }: { payment: Payment }): ReactNode {
  return (
    <Section title="Details">
      <FieldList fields={fieldsOf(payment)} />
    </Section>
  );
}

function fieldsOf(payment: Payment): Field[] {
  const { paymentMethod, description, cancelledBy, checkoutUrl, receiptUrl, callbackUrl, cancelUrl } = payment;
  return [
    ['Payment link', payment.paymentLinkId && <LinkOf key="payment-link" payment={payment} />],
    ['Description', description && <bdi key="description">{description}</bdi>],
    ['Payment method', paymentMethod && paymentMethodWords(paymentMethod)],
    ['Refunded', payment.amountRefunded > 0 ? <Refunded key="refunded" payment={payment} /> : null],
    ['Decline reason', reasonOf(payment)],
    ['Cancelled by', cancelledBy && (cancelledBy === 'merchant' ? 'The merchant' : 'The customer')],
    endOf(payment),
    ['Checkout link', checkoutUrl && <Copy key="link" value={checkoutUrl} what="link" />],
    [
      'Receipt',
      receiptUrl && (
        <CopyLink key="receipt" value={receiptUrl} what="link to the receipt">
          Open the receipt
        </CopyLink>
      ),
    ],
    ['Return URL', callbackUrl && <bdi key="callback">{callbackUrl}</bdi>],
    ['Cancel URL', cancelUrl && <bdi key="cancel">{cancelUrl}</bdi>],
    ['Payment ID', <Copy key="id" value={payment.id} what="payment ID" />],
  ];
}

function LinkOf({ payment: { paymentLinkId, mode } }: { payment: Payment }): ReactNode {
  return (
    <AnchorLink to="/$mode/payment-links/$id" params={{ mode, id: paymentLinkId ?? '' }}>
      View payment link
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

function endOf({ status, failureCode, expiresAt, mode }: Payment): Field {
  if (status !== 'pending' && status !== 'processing') return ['Expires', null];
  // In live mode the processor decides how long the customer can try again, so the page shows no limit.
  const isCutShort = status === 'pending' && failureCode !== null && mode === 'test';
  return [
    'Expires',
    <Fragment key="end">
      <ExactMoment at={expiresAt} />
      {isCutShort && '. After a decline, the customer has at most 15 minutes to try again.'}
    </Fragment>,
  ];
}
