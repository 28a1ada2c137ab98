/**
 * The first page of the dashboard: figures of a time beside those of the time before it, what needs attention, and which of
 * the first steps an account has taken.
 */
import type { Called, Context } from '../context.ts';
import { listWebhookEndpoints } from '../webhooks/webhooks.service.ts';
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
  deliveriesInTotal,
  measureAnswers,
  type PaymentCount,
  paymentsInTotal,
} from './counts.service.ts';
import { type FirstSteps, firstStepsOf } from './first-steps.service.ts';
import { dayMs, type Span, spanOfDays } from './span.ts';

export interface Figures {
  from: Date;
  to: Date;
  payments: PaymentCount[];
  /** Null for a time of which the first deliveries are not kept any more: it cannot be compared. */
  deliveries: DeliveryCount | null;
  answers: AnswerTimes | null;
  declines: DeclineCount[];
}

export type Days = 1 | 7 | 30 | 90;

export interface Overview extends Pick<Span, 'interval'> {
  days: Days;
  deliveriesKeptFrom: Date;
  now: Figures;
  before: Figures;
  intervals: (Counts & { startsAt: Date })[];
  attention: Attention[];
  firstSteps: FirstSteps;
}

const maxDeclines = 10;

export async function getOverview(context: Context & Called, days: Days): Promise<Overview> {
  const now = context.clock.now();
  const span = spanOfDays(days, now);
  const earlier = { ...span, from: shifted(span.from, -days), to: shifted(span.to, -days) };
  const deliveriesKeptFrom = shifted(now, -context.config.retentionDays);
  const endpoints = await listWebhookEndpoints(context);
  const { figures, intervals } = await figuresOf(context, span, deliveriesKeptFrom);
  const before = await figuresOf(context, earlier, deliveriesKeptFrom);
  return {
    days,
    interval: span.interval,
    deliveriesKeptFrom,
    now: figures,
    before: earlier.from < deliveriesKeptFrom ? { ...before.figures, deliveries: null, answers: null } : before.figures,
    intervals,
    attention: await listAttention(context, endpoints),
    firstSteps: await firstStepsOf(context, endpoints),
  };
}

async function figuresOf(context: Context & Called, span: Span, deliveriesKeptFrom: Date) {
  // Older ones are purged in their own time, so that without this the same question would have several answers.
  const kept = { ...span, from: new Date(Math.max(span.from.getTime(), deliveriesKeptFrom.getTime())) };
  const isKept = kept.from <= kept.to;
  const payments = await countPayments(context, span);
  const deliveries = isKept ? await countDeliveries(context, kept) : [];
  const figures: Figures = {
    from: span.from,
    to: span.to,
    payments: paymentsInTotal(payments),
    deliveries: deliveriesInTotal(deliveries),
    answers: isKept ? await measureAnswers(context, kept) : null,
    declines: await countDeclines(context, span, maxDeclines),
  };
  return { figures, intervals: countsByInterval(span, payments, deliveries) };
}

const shifted = (moment: Date, days: number): Date => new Date(moment.getTime() + days * dayMs);
