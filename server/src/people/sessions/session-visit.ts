import { type Context, withFreshEntityManager } from '../../context.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { DashboardSession } from './dashboard-session.entity.ts';
import { findSession, touchSession } from './dashboard-session.service.ts';

/**
 * Finds the session of a token and notes that it was used, which
 * keeps it from ending. Null when it has ended or never existed.
 */
export async function visitSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = token ? await findSession(context, token) : null;
  if (session && !session.isUseRecorded(context.clock.now())) {
    // A separate entity manager, because the request's one belongs to the operation's transaction.
    await inTransaction(withFreshEntityManager(context), (tx) => touchSession(tx, session));
  }
  return session;
}
