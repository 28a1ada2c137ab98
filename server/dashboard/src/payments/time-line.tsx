import { Text } from '@mantine/core';
import type { AuditEntry, Event, Payment, PaymentAttempt, Refund } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { eventStep } from '../deliveries/webhooks-of-event.tsx';
import { formatAmount } from '../kit/amount.ts';
import { whyItFailed } from '../kit/status-words.ts';
import { type Step, Steps } from '../kit/steps.tsx';
import { reasonOf, threeDSecureWords } from './attempt-words.ts';
import { attemptMethodWords } from './card-words.ts';
import type { PaymentStory } from './use-payment-story.ts';

type TimeLineProps = Omit<PaymentStory, 'refundCount'> & { payment: Payment };

export function TimeLine({ payment, attempts, refunds, events, deliveries }: TimeLineProps): ReactNode {
  // An attempt that ends the payment stays before this end, even if both have the same time.
  const steps = [
    { key: 'created', at: payment.createdAt, title: 'Checkout created' },
    ...attempts.map((attempt) => attemptStep(attempt, payment)),
    ...endOf(payment),
    ...failureSteps(payment, events),
    ...refunds.flatMap(refundSteps),
    ...events.map((event) => eventStep(event, deliveries)),
  ];
  const whyNoAttempt =
    attempts.length === 0 && payment.status !== 'completed' && 'The customer has not tried to pay yet.';
  return (
    <>
      <Steps steps={steps} />
      {(whyNoAttempt || events.length === 0) && (
        <Text size="sm" c="dimmed">
          {whyNoAttempt} {events.length === 0 && whyNothingWasSent(payment)}
        </Text>
      )}
    </>
  );
}

function whyNothingWasSent({ status }: Payment): string {
  if (status === 'expired')
    return 'No event. Old events are deleted after some time, and older versions of this service sent none when a payment expired.';
  if (status === 'completed' || status === 'failed') return 'No event. Old events are deleted after some time.';
  return 'Nothing was sent yet. Your endpoints receive a webhook when the payment completes, fails or expires.';
}

function endOf(payment: Payment): Step[] {
  const { completedAt, expiresAt, status, cancelledBy } = payment;
  if (completedAt) return [{ key: 'completed', at: completedAt, title: 'Payment completed' }];
  if (status !== 'expired') return [];
  const title = cancelledBy ? 'Checkout cancelled' : 'Checkout expired';
  return [{ key: 'expired', at: expiresAt, title, text: <WhyExpired payment={payment} />, tone: 'bad' }];
}

/** A payment does not store the time of its failure, so the time is taken from the event. */
function failureSteps(payment: Payment, events: readonly Event[]): Step[] {
  const failedEvent = payment.status === 'failed' && events.find(({ event }) => event === 'checkout.failed');
  return failedEvent ? [{ key: 'failed', at: failedEvent.timestamp, title: 'Payment failed', tone: 'bad' }] : [];
}

const attemptTitles: Record<PaymentAttempt['outcome'], (attempt: string) => string> = {
  open: (attempt) => `${attempt} is being decided`,
  paid: (attempt) => `${attempt} was accepted`,
  declined: (attempt) => `${attempt} was declined`,
  cancelled: (attempt) => `${attempt} ended without a charge`,
};

function attemptStep(attempt: PaymentAttempt, payment: Payment): Step {
  const { number, startedAt, settledAt, outcome } = attempt;
  const method = attemptMethodWords(attempt);
  const name = method ? `Attempt ${number} with ${method}` : `Attempt ${number}`;
  return {
    key: `attempt-${number}`,
    at: settledAt ?? startedAt,
    title: arrivalOf(attempt, payment, name) ?? attemptTitles[outcome](name),
    text: [differenceOf(attempt, payment), reasonOf(attempt), threeDSecureWords(attempt)].filter(Boolean).join(' · '),
    ...(outcome === 'declined' && { tone: 'bad' }),
  };
}

/** Money that arrived is not accepted yet when it differs from the amount, or comes late or twice. */
function arrivalOf(attempt: PaymentAttempt, payment: Payment, name: string): string | null {
  const { method, amountReceived, currencyReceived } = attempt;
  if (amountReceived === null || currencyReceived === null) return null;
  const money = formatAmount(amountReceived, currencyReceived);
  if (method === 'bank_transfer') return `A bank transfer of ${money} arrived`;
  return isOtherAmount(attempt, payment) ? `${name} paid ${money}` : null;
}

/** Returns null for money that completed the payment. */
function differenceOf(attempt: PaymentAttempt, payment: Payment): string | null {
  const { amount, currency, completedAt, status } = payment;
  const { outcome, settledAt } = attempt;
  if (outcome !== 'paid' || settledAt === null) return null;
  if (isOtherAmount(attempt, payment)) return `${formatAmount(amount, currency)} was requested`;
  if (completedAt) return settledAt > completedAt ? 'The payment was already completed' : null;
  return status === 'processing' ? null : 'The payment had already ended';
}

function isOtherAmount({ amountReceived, currencyReceived }: PaymentAttempt, { amount, currency }: Payment): boolean {
  return amountReceived !== null && (amountReceived !== amount || currencyReceived !== currency);
}

/** A completed refund can still fail, because the customer's bank may return the money. */
export function refundSteps(refund: Refund): Step[] {
  const { id, amount, currency, status, origin, createdAt, completedAt, updatedAt } = refund;
  const money = formatAmount(amount, currency);
  const created =
    origin === 'processor' ? `Refund of ${money} created at the payment processor` : `Refund of ${money} created`;
  return [
    { key: `${id}-created`, at: createdAt, title: created },
    ...(completedAt ? [{ key: `${id}-completed`, at: completedAt, title: `Refund of ${money} completed` }] : []),
    // A refund does not store the time of its failure, so the time of its last change is shown, which is the failure.
    ...(status === 'failed'
      ? [
          {
            key: `${id}-failed`,
            at: updatedAt,
            title: `Refund of ${money} failed`,
            text: whyItFailed(refund),
            tone: 'bad' as const,
          },
        ]
      : []),
  ];
}

/**
 * `cancelledBy` shows whether the payment was cancelled, and the audit log shows who cancelled the payment.
 * See docs/decisions/dashboard.md, "Which person cancelled a payment is read from the audit log".
 */
export function WhyExpired({ payment: { reference, cancelledBy } }: { payment: Payment }): ReactNode {
  const mode = useMode();
  const { data } = useRead({
    key: ['audit', 'cancelled', reference],
    read: (tillhook, options) => {
      return tillhook.auditEntries.list({ action: 'cancelCheckout', subject: reference, limit: 100 }, options);
    },
    isEnabled: cancelledBy !== null,
  });
  if (!cancelledBy) return 'It was not paid in time. It can no longer be paid.';
  if (!data) return 'It can no longer be paid.';
  const entry = data.auditEntries.find((one) => one.mode === mode);
  return <>{entry ? <CancelledBy {...entry} /> : 'It was cancelled with an API key.'} It can no longer be paid.</>;
}

function CancelledBy({ actor }: AuditEntry): ReactNode {
  return (
    <>
      <bdi>{actor.email ?? 'The operator of this service'}</bdi> cancelled it.
    </>
  );
}
