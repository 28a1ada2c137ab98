/**
 * Stripe forgets an idempotency key after a day. So before a refund is created, Stripe's refunds are searched for our
 * id.
 * See docs/decisions/processors.md, "A refund is looked up at Stripe before it is created".
 */
import type { Stripe } from 'stripe';
import {
  type DisputeEvent,
  ProcessorError,
  type ProcessorEvent,
  type RefundNews,
  type RefundOrder,
  type RefundVerdict,
} from '../port.ts';
import { fromStripeAmount, toStripeAmount } from './amount.ts';
import { isRequestError, processorError } from './errors.ts';

const maxCodeLength = 60;

export function createStripeRefunds(client: Stripe) {
  async function refund(order: RefundOrder): Promise<RefundVerdict> {
    const intent = await intentOfSession(client, order);
    try {
      const made = await client.refunds.list({ payment_intent: intent, limit: 100 });
      const known = made.data.find(({ metadata }) => metadata?.refundId === order.refundId);
      return verdictOf(known ?? (await client.refunds.create(paramsOf(order, intent), keyOf(order))));
    } catch (error) {
      if (!isRequestError(error)) throw processorError(error);
      const code = (error.code ?? 'refund_failed').slice(0, maxCodeLength);
      return { result: 'failed', code, message: 'The payment processor refused the refund' };
    }
  }

  async function refundStatus(order: RefundOrder): Promise<RefundVerdict> {
    if (order.processorId === null) return refund(order);
    try {
      return verdictOf(await client.refunds.retrieve(order.processorId));
    } catch (error) {
      throw processorError(error);
    }
  }

  return { refund, refundStatus };
}

const keyOf = ({ refundId }: RefundOrder) => ({ idempotencyKey: refundId });

function paramsOf(order: RefundOrder, intent: string): Stripe.RefundCreateParams {
  return {
    payment_intent: intent,
    amount: Number(toStripeAmount(order.amount, order.currency)),
    metadata: { refundId: order.refundId, reference: order.reference },
  };
}

async function intentOfSession(client: Stripe, { chargeId }: RefundOrder): Promise<string> {
  if (chargeId === null) throw new ProcessorError('the payment has no session at Stripe');
  try {
    const intent = idOf((await client.checkout.sessions.retrieve(chargeId)).payment_intent);
    if (intent) return intent;
  } catch (error) {
    throw processorError(error);
  }
  throw new ProcessorError('the session has no payment intent');
}

function idOf(value: string | { id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

function verdictOf({ id: processorId, status, failure_reason }: Stripe.Refund): RefundVerdict {
  switch (status) {
    case 'succeeded':
      return { result: 'completed', processorId };
    case 'failed':
    case 'canceled': {
      const code = (failure_reason ?? 'refund_failed').slice(0, maxCodeLength);
      const message = status === 'canceled' ? 'The refund was cancelled' : 'The refund failed at the payment processor';
      return { result: 'failed', code, message, processorId };
    }
    default:
      return { result: 'processing', processorId };
  }
}

type RefundEvent =
  | Stripe.RefundCreatedEvent
  | Stripe.RefundUpdatedEvent
  | Stripe.RefundFailedEvent
  | Stripe.ChargeRefundedEvent
  | Stripe.ChargeDisputeCreatedEvent
  | Stripe.ChargeDisputeUpdatedEvent
  | Stripe.ChargeDisputeClosedEvent
  | Stripe.ChargeDisputeFundsWithdrawnEvent
  | Stripe.ChargeDisputeFundsReinstatedEvent;

export const refundEventTypes: readonly string[] = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] satisfies RefundEvent['type'][];

/** Returns null if the payment is not ours. If a call to Stripe fails, the error makes Stripe send the event again. */
export async function readRefundEvent(client: Stripe, event: Stripe.Event): Promise<ProcessorEvent | null> {
  const known = event as RefundEvent;
  const { object } = known.data;
  const intent = idOf(object.payment_intent);
  const attemptId = intent && (await attemptOfIntent(client, intent));
  if (!intent || !attemptId) return null;
  const { id } = event;
  if (object.object === 'dispute')
    return { about: 'dispute', id, attemptId, news: newsOfDispute(event.type, object), dueAt: dueAtOf(object) };
  const refunds = object.object === 'refund' ? [object] : await refundsOfIntent(client, intent);
  return { about: 'refunds', id, refunds: refunds.map((refund) => newsOf(refund, attemptId)) };
}

function newsOfDispute(type: string, { status }: Stripe.Dispute): DisputeEvent['news'] {
  if (type === 'charge.dispute.created') return 'opened';
  if (type !== 'charge.dispute.closed') return 'changed';
  return status === 'won' || status === 'lost' ? status : 'undecided';
}

function dueAtOf({ status, evidence_details: { due_by: dueBy } }: Stripe.Dispute): Date | null {
  const isWanted = status === 'needs_response' || status === 'warning_needs_response';
  return isWanted && dueBy ? new Date(dueBy * 1000) : null;
}

async function attemptOfIntent(client: Stripe, intent: string): Promise<string | null> {
  try {
    const { metadata } = await client.paymentIntents.retrieve(intent);
    return metadata.attemptId ?? null;
  } catch (error) {
    throw processorError(error);
  }
}

async function refundsOfIntent(client: Stripe, intent: string): Promise<Stripe.Refund[]> {
  try {
    return (await client.refunds.list({ payment_intent: intent, limit: 100 })).data;
  } catch (error) {
    throw processorError(error);
  }
}

function newsOf(refund: Stripe.Refund, attemptId: string): RefundNews {
  const currency = refund.currency.toUpperCase();
  return {
    refundId: refund.metadata?.refundId ?? null,
    attemptId,
    processorId: refund.id,
    amount: fromStripeAmount(BigInt(refund.amount), currency),
    currency,
    verdict: verdictOf(refund),
  };
}
