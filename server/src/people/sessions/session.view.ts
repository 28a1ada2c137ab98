import type { DisplayPreferences, Preferences, Session, SessionRecord, TwoStep } from '@tillhook/openapi';
import type { WithPrincipal } from '../../context.ts';
import type { Merchant } from '../merchants/merchant.entity.ts';
import { merchantView } from '../merchants/merchant.view.ts';
import type { DashboardSession } from './dashboard-session.entity.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';

/** `merchant` is the merchant that the user works with: an operator may choose any merchant. */
export function sessionView(session: DashboardSession, merchant: Merchant): Session {
  const { user } = session;
  const { id, email, name = null, role } = user;
  return {
    user: { id, email, name, role, twoStep: twoStepView(user), display: displayView(user), proof: session.proof() },
    merchant: merchantView(merchant),
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.endsAt().toISOString(),
  };
}

function displayView({ theme, timeZone = null, language = null }: DashboardUser): DisplayPreferences {
  return { theme, timeZone, language: language as DisplayPreferences['language'] };
}

export function preferencesView(user: DashboardUser): Preferences {
  const { name = null, mailsOff, views } = user;
  return { name, ...displayView(user), mailsOff: mailsOff as Preferences['mailsOff'], views };
}

export function twoStepView(user: DashboardUser): TwoStep {
  return { isOn: user.hasTwoStep(), isRequired: user.merchant.requiresTwoStep };
}

export function sessionRecordView({ principal: { actor } }: WithPrincipal, session: DashboardSession): SessionRecord {
  const { id, address, browser, createdAt, lastSeenAt, tokenHash } = session;
  return {
    id,
    address: address ?? null,
    browser: browser ?? null,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: session.endsAt().toISOString(),
    isCurrent: actor.type === 'user' && Buffer.compare(actor.sessionHash, tokenHash) === 0,
  };
}
