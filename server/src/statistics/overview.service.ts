/**
 * The figures of a period and of the previous period, the records that need attention, and the merchant's first steps.
 */

import type { Context, WithPrincipal } from '../context.ts';
import { dayMs } from '../kit/hours.ts';
import { LedgerAccount } from '../money/wallets/ledger-account.entity.ts';
import type { Merchant } from '../people/merchants/merchant.entity.ts';
import { getOwnMerchant } from '../people/merchants/merchants.service.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/endpoints/endpoints.service.ts';
import { splitByHours } from '../webhooks/log/closed-hours.service.ts';
import { type Attention, listAttention } from './attention.service.ts';
import {
  type AnswerTimes,
  type Counts,
  countDeclines,
  countDeliveries,
  countPayments,
  countsByInterval,
  type DeclineCount,
  type DeliveryCount,
  measureAnswerTimes,
  type PaymentCount,
  totalDeliveries,
  totalPayments,
} from './counts.service.ts';
import { hasApiKey, isLiveReady } from './live-setup.service.ts';
import { periodsOf, type Span } from './span.ts';
import { countVolume, totalVolume, type Volume } from './volume.service.ts';

export interface Figures {
  from: Date;
  to: Date;
  volume: Volume[];
  payments: PaymentCount[];
  /**
   * Null for a period whose first deliveries have already been purged.
   * See docs/decisions/figures.md, "Deliveries are compared only as far back as they are kept".
   */
  deliveries: DeliveryCount | null;
  answers: AnswerTimes | null;
  declines: DeclineCount[];
}

export type Days = 1 | 7 | 30 | 90;

export interface Overview extends Pick<Span, 'interval'> {
  days: Days;
  timeZone: string;
  deliveriesKeptFrom: Date;
  now: Figures;
  before: Figures;
  intervals: (Counts & { startsAt: Date; volume: Volume[] })[];
  attention: Attention[];
  firstSteps: FirstSteps;
}

const maxDeclines = 10;

/** A merchant that takes payments is shown the first steps for this time. */
const newDays = 14;

export async function getOverview(context: Context & WithPrincipal, days: Days): Promise<Overview> {
  const now = context.clock.now();
  const merchant = await getOwnMerchant(context);
  const { timeZone } = merchant;
  const { now: span, before: earlier } = periodsOf(days, now, timeZone);
  const deliveriesKeptFrom = addDays(now, -context.config.retentionDays);
  const endpoints = await listWebhookEndpoints(context);
  const payments = await countPayments(context, span);
  const volume = await countVolume(context, span);
  // Deliveries from before `deliveriesKeptFrom` may not have been purged yet. Without this limit, the figures of a
  // period would change at the purge.
  const kept = { ...span, from: new Date(Math.max(span.from.getTime(), deliveriesKeptFrom.getTime())) };
  const present = await deliveryFiguresOf(context, kept);
  const isComparable = earlier.from >= deliveriesKeptFrom;
  const before = isComparable ? await deliveryFiguresOf(context, earlier) : null;
  return {
    days,
    interval: span.interval,
    timeZone,
    deliveriesKeptFrom,
    now: {
      ...(await paymentFiguresOf(context, span, payments)),
      volume: totalVolume(volume),
      deliveries: totalDeliveries(present.deliveries),
      answers: present.answers,
    },
    before: {
      ...(await paymentFiguresOf(context, earlier, await countPayments(context, earlier))),
      volume: totalVolume(await countVolume(context, earlier)),
      deliveries: before && totalDeliveries(before.deliveries),
      answers: before?.answers ?? null,
    },
    intervals: countsByInterval(span, payments, present.deliveries).map((interval) => ({
      ...interval,
      volume: volume.filter(({ startsAt }) => startsAt === interval.startsAt.getTime()),
    })),
    attention: await listAttention(context, endpoints),
    firstSteps: await getFirstSteps(context, merchant, endpoints),
  };
}

async function paymentFiguresOf(context: Context & WithPrincipal, span: Span, payments: PaymentCount[]) {
  const declines = await countDeclines(context, span, maxDeclines);
  return { from: span.from, to: span.to, payments: totalPayments(payments), declines };
}

async function deliveryFiguresOf(context: Context & WithPrincipal, span: Span) {
  if (span.from > span.to) return { deliveries: [], answers: null };
  const split = { span, period: await splitByHours(context, span) };
  return { deliveries: await countDeliveries(context, split), answers: await measureAnswerTimes(context, split) };
}

const addDays = (moment: Date, days: number): Date => new Date(moment.getTime() + days * dayMs);

interface FirstSteps {
  endpointCreated: boolean;
  testEventSent: boolean;
  paymentCompleted: boolean;
  deliveryAccepted: boolean;
  apiKeyCreated: boolean;
  liveReady: boolean;
  isEstablished: boolean;
}

/**
 * Choice: reads only rows that are never purged, so neither events nor deliveries. If a merchant removes its endpoints,
 * the steps about endpoints become open again.
 */
async function getFirstSteps(
  context: Context & WithPrincipal,
  { createdAt }: Merchant,
  endpoints: readonly WebhookEndpoint[],
): Promise<FirstSteps> {
  const { em, clock, principal } = context;
  const { merchantId, mode } = principal;
  // The first completed payment creates the Collection account of the ledger, and no code deletes the account.
  const paid = await em.find(LedgerAccount, { merchantId, kind: 'collection' });
  const paymentCompleted = paid.some((account) => account.mode === mode);
  const isOld = createdAt < addDays(clock.now(), -newDays);
  return {
    endpointCreated: endpoints.length > 0,
    testEventSent: endpoints.some(({ testedAt }) => testedAt),
    paymentCompleted,
    deliveryAccepted: endpoints.some(({ lastDeliveredAt }) => lastDeliveredAt),
    apiKeyCreated: await hasApiKey(context, mode),
    liveReady: await isLiveReady(context),
    isEstablished: paid.some((account) => account.mode === 'live') || (isOld && paymentCompleted),
  };
}
