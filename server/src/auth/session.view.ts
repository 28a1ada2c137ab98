import type { Session } from '@tillhook/openapi';
import type { DashboardSession } from './dashboard-session.entity.ts';
import { merchantView } from './merchant.view.ts';

export function sessionView(session: DashboardSession): Session {
  const { id, email, merchant } = session.user;
  return {
    user: { id, email },
    merchant: merchantView(merchant),
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.endsAt().toISOString(),
  };
}
