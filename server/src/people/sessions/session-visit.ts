import { type Context, withFreshEntityManager } from '../../context.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { DashboardSession } from './dashboard-session.entity.ts';
import { findSession, touchSession } from './dashboard-session.service.ts';

/**
 * Finds the session of a token, and saves that the session was used, so that it does not end as unused. Returns null
 * when the session has ended or never existed.
 */
export async function visitSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = token ? await findSession(context, token) : null;
  if (session && !session.isUseRecorded(context.clock.now())) {
    // Uses a separate entity manager, because the request's entity manager belongs to the operation's transaction.
    await inTransaction(withFreshEntityManager(context), (tx) => touchSession(tx, session));
  }
  return session;
}
