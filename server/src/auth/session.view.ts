import type { Session } from '@tillhook/openapi';
import type { DashboardSession } from './dashboard-session.entity.ts';

export function sessionView(session: DashboardSession): Session {
  const { id, email, merchant } = session.user;
  return {
    user: { id, email },
    merchant: { id: merchant.id, name: merchant.name, currency: merchant.currency },
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.endsAt().toISOString(),
  };
}
