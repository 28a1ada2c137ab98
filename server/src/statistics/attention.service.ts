import type { Context, WithPrincipal } from '../context.ts';
import { dayMs } from '../kit/hours.ts';
import { Payment } from '../money/payments/payment.entity.ts';
import { PaymentAttempt } from '../money/payments/payment-attempt.entity.ts';
import { ApiKey } from '../people/keys/api-key.entity.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { findFailingEndpoints } from './endpoint-health.service.ts';

export interface Attention {
  kind: 'endpoint_disabled' | 'endpoint_failing' | 'payment_under_review' | 'key_expiring' | 'rotation_staged';
  subject: string;
  label: string;
  reason: string | null;
  /** How many deliveries in a row failed. 0 while the first failing delivery still waits for its next attempt. */
  count: number | null;
  since: Date | null;
  until: Date | null;
}

/** Choice: a key that expires within a week is listed, because programs with the new key must be deployed first. */
const expiringWithinMs = 7 * dayMs;
/** A longer list of payments or keys would not change what the merchant has to do. */
const maxPerKind = 20;

const emptyDetails = { reason: null, count: null, since: null, until: null };

export async function listAttention(
  context: Context & WithPrincipal,
  endpoints: readonly WebhookEndpoint[],
): Promise<Attention[]> {
  const failingIds = await findFailingEndpoints(context, endpoints);
  return [
    ...endpoints.filter(({ disabledReason }) => disabledReason).map(disabled),
    ...endpoints.filter(({ id }) => failingIds.has(id)).map(failing),
    ...(await paymentsUnderReview(context)),
    ...(await expiringKeys(context)),
    ...endpoints.flatMap(staged),
  ];
}

function disabled({ id, url, disabledReason, disabledAt }: WebhookEndpoint): Attention {
  const since = disabledAt ?? null;
  return { ...emptyDetails, kind: 'endpoint_disabled', subject: id, label: url, reason: disabledReason ?? null, since };
}

function failing({ id, url, failureStreak, lastDeliveredAt }: WebhookEndpoint): Attention {
  const since = lastDeliveredAt ?? null;
  return { ...emptyDetails, kind: 'endpoint_failing', subject: id, label: url, count: failureStreak, since };
}

function staged({ id, url, secretRotation }: WebhookEndpoint): Attention[] {
  const next = secretRotation?.next;
  if (!next) return [];
  return [{ ...emptyDetails, kind: 'rotation_staged', subject: id, label: url, until: new Date(next.at) }];
}

async function paymentsUnderReview({ em, principal }: Context & WithPrincipal): Promise<Attention[]> {
  const { merchantId, mode } = principal;
  const waiting = { merchantId, mode, reviewReason: { $ne: null } };
  const payments = await em.find(Payment, waiting, { orderBy: { id: 'asc' }, limit: maxPerKind });
  const paid = { paymentId: payments.map(({ id }) => id), outcome: 'paid' as const };
  const attempts = payments.length > 0 ? await em.find(PaymentAttempt, paid, { orderBy: { settledAt: 'asc' } }) : [];
  return payments.map(({ id, reference, reviewReason }) => ({
    ...emptyDetails,
    kind: 'payment_under_review',
    subject: reference,
    label: reference,
    reason: reviewReason ?? null,
    since: attempts.findLast(({ paymentId }) => paymentId === id)?.settledAt ?? null,
  }));
}

async function expiringKeys({ em, clock, principal }: Context & WithPrincipal): Promise<Attention[]> {
  const now = clock.now();
  const expiresAt = { $gt: now, $lte: new Date(now.getTime() + expiringWithinMs) };
  const where = { merchant: principal.merchantId, mode: principal.mode, revokedAt: null, expiresAt };
  const keys = await em.find(ApiKey, where, { orderBy: { expiresAt: 'asc', id: 'asc' }, limit: maxPerKind });
  return keys.map(({ id, name, prefix, last4, expiresAt: until = null }) => ({
    ...emptyDetails,
    kind: 'key_expiring',
    subject: id,
    label: name ?? `${prefix}…${last4}`,
    until,
  }));
}
