import { browserWords } from '../../../look/browser-words.ts';
import type { WriteContext } from '../../context.ts';
import { hashToken } from '../../kit/ids.ts';
import { run } from '../../platform/database/statement.ts';
import { mailUser } from './account-mails.service.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';
import { browserLifeMs, KnownBrowser } from './known-browser.entity.ts';

const maxKnown = 20;

/**
 * Tells the user of a sign-in in a browser that this user has not used before, except of the first. Choice: a browser is
 * known by a cookie, and not by its name and network: an attacker can copy a name, and many networks change each day.
 */
export async function reportNewBrowser(tx: WriteContext, user: DashboardUser): Promise<void> {
  const { address, browser = null, browserToken } = tx.client ?? {};
  if (!browserToken) return;
  const now = tx.clock.now();
  const tokenHash = hashToken(`${user.id} ${browserToken()}`);
  const rows = await tx.em.find(KnownBrowser, { user: user.id }, { orderBy: { seenAt: 'desc' } });
  const known = rows.filter(({ seenAt }) => seenAt.getTime() > now.getTime() - browserLifeMs);
  const current = known.find((row) => Buffer.compare(row.tokenHash, tokenHash) === 0);
  const others = known.filter((row) => row !== current);
  await forget(
    tx,
    rows.filter((row) => row !== current && !others.slice(0, maxKnown - 1).includes(row)),
  );
  if (current) current.seenAt = now;
  else tx.em.persist(Object.assign(new KnownBrowser(), { tokenHash, user, seenAt: now }));
  if (current || others.length === 0) return;
  await mailUser(tx, user, 'new_browser', { Browser: browserWords(browser), Address: address ?? 'Unknown' });
}

async function forget(tx: WriteContext, rows: readonly KnownBrowser[]): Promise<void> {
  if (rows.length === 0) return;
  const hashes = rows.map(({ tokenHash }) => Buffer.from(tokenHash));
  await run(tx)`delete from known_browser where token_hash = any (${hashes})`;
}
