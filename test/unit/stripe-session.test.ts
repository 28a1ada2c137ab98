import type { Charge } from '@tillhook/server/src/processors/port.ts';
import { sessionOf } from '@tillhook/server/src/processors/stripe-session.ts';
import test from 'ava';

const charge: Charge = {
  attemptId: '01940000-0000-7000-8000-000000000000',
  reference: 'order-1042',
  amount: 500_000n,
  currency: 'NGN',
  customerEmail: 'ada@example.com',
  description: null,
  locale: null,
  statementName: null,
  startedAt: new Date('2026-11-21T10:15:00Z'),
  expiresAt: new Date('2026-11-22T10:15:00Z'),
  paidUrl: 'https://pay.example.com/checkout/x?step=sent',
  backUrl: 'https://pay.example.com/checkout/x/back',
  processorId: null,
};

const suffixOf = (statementName: string | null) =>
  sessionOf({ ...charge, statementName }).payment_intent_data?.statement_descriptor_suffix;

test('Stripe gets the name on statements, with a hyphen for the asterisk that it refuses', (t) => {
  t.is(suffixOf('ADAS BOOKS.CO-1'), 'ADAS BOOKS.CO-1');
  t.is(suffixOf('ADAS*BOOKS*'), 'ADAS-BOOKS-');
});

test('without a name on statements, Stripe is told nothing', (t) => {
  t.deepEqual(Object.keys(sessionOf(charge).payment_intent_data ?? {}), ['metadata']);
});
