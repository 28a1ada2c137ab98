import { type Context, ofItsOwn } from '../../context.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { DashboardSession } from './dashboard-session.entity.ts';
import { findSession, touchSession } from './dashboard-session.service.ts';

/** The session of this token, kept from ending by this visit; null when there is none or it is over. */
export async function visitSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = token ? await findSession(context, token) : null;
  if (session && !session.isFresh(context.clock.now())) {
    // With an entity manager of its own: the request's belongs to its transaction.
    await inTransaction(ofItsOwn(context), (writing) => touchSession(writing, session));
  }
  return session;
}
