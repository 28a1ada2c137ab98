import type { Session } from '@tillhook/openapi';
import type { DashboardSession } from './dashboard-session.entity.ts';
import type { Merchant } from './merchant.entity.ts';
import { merchantView } from './merchant.view.ts';

/** The session, and the merchant that it looks at: an operator may look at another than the user's own. */
export function sessionView(session: DashboardSession, merchant: Merchant): Session {
  const { user } = session;
  const twoStep = { isOn: user.hasTwoStep(), isRequired: user.merchant.requiresTwoStep };
  return {
    user: { id: user.id, email: user.email, role: user.role, twoStep },
    merchant: merchantView(merchant),
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.endsAt().toISOString(),
  };
}
