import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import { Passkey } from '../passkeys/passkey.entity.ts';
import { creationOptions, findPasskeysOf, type NewPasskey, savePasskey } from '../passkeys/passkeys.service.ts';
import { mailUser } from '../sessions/account-mails.service.ts';
import { lockCallingUser, requireCode, type SecondStep, userIdOf } from '../sessions/codes.service.ts';
import { getCallingSession } from '../sessions/dashboard-session.service.ts';
import type { DashboardUser } from '../sessions/dashboard-user.entity.ts';

const maxPasskeys = 20;

export async function beginPasskey(context: WriteContext & WithPrincipal, code: SecondStep) {
  const user = await lockCallingUser(context);
  await requireCode(context, user, code);
  await checkLimit(context, user);
  return creationOptions(context, user);
}

/** The authenticator has just verified the user, so the calling session counts as one that a passkey opened. */
export async function addPasskey(context: WriteContext & WithPrincipal, made: NewPasskey): Promise<Passkey> {
  const user = await lockCallingUser(context);
  await checkLimit(context, user);
  const session = await getCallingSession(context);
  const passkey = savePasskey(context, made);
  session.passkeyId ??= passkey.id;
  await mailUser(context, user, 'passkey_added', { Passkey: passkey.name });
  return passkey;
}

export async function listOwnPasskeys(context: Context & WithPrincipal, page: Page): Promise<Paged<Passkey>> {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  const where = { userId: userIdOf(context) };
  const [records, total] = await context.em.findAndCount(Passkey, where, { ...page, orderBy });
  return { records, total };
}

export async function renamePasskey(
  context: WriteContext & WithPrincipal,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const passkey = await getOwnPasskey(context, id);
  passkey.name = name;
  return passkey;
}

/** The other sessions that the passkey opened end, because the passkey may be in the wrong hands. */
export async function removePasskey(context: WriteContext & WithPrincipal, id: string): Promise<Passkey> {
  const user = await lockCallingUser(context);
  const passkey = await getOwnPasskey(context, id);
  const others = (await findPasskeysOf(context, user.id)).filter((other) => other !== passkey);
  if (others.length === 0) await requireOtherWay(context, user);
  const session = await getCallingSession(context);
  const tokenHash = Buffer.from(session.tokenHash);
  await run(context)`delete from dashboard_session where passkey_id = ${id} and token_hash <> ${tokenHash}`;
  await run(context)`delete from passkey where id = ${id}`;
  if (session.passkeyId === id) session.passkeyId = others[0]?.id ?? null;
  await mailUser(context, user, 'passkey_removed', { Passkey: passkey.name });
  return passkey;
}

/** For an operator at the command line, for a user whose passkeys were lost or copied. Returns how many there were. */
export async function removePasskeysOf(context: WriteContext, user: DashboardUser): Promise<number> {
  const passkeys = await findPasskeysOf(context, user.id);
  await run(context)`
    delete from dashboard_session where passkey_id in (select id from passkey where user_id = ${user.id})`;
  await run(context)`delete from passkey where user_id = ${user.id}`;
  for (const { name } of passkeys) await mailUser(context, user, 'passkey_removed', { Passkey: name });
  return passkeys.length;
}

export async function countPasskeys(context: Context): Promise<ReadonlyMap<string, number>> {
  const counts = await context.em.countBy(Passkey, 'userId');
  return new Map(Object.entries(counts));
}

async function checkLimit(context: Context, { id }: DashboardUser): Promise<void> {
  if ((await context.em.count(Passkey, { userId: id })) < maxPasskeys) return;
  throw new AppError('passkey_limit_reached', `A user may have at most ${maxPasskeys} passkeys; remove one first`);
}

async function getOwnPasskey(context: Context & WithPrincipal, id: string): Promise<Passkey> {
  const passkey = await context.em.findOne(Passkey, { id, userId: userIdOf(context) });
  if (!passkey) throw notFound();
  return passkey;
}

async function requireOtherWay(context: WriteContext, user: DashboardUser): Promise<void> {
  const { hasPasswords } = context.config.signIn;
  if (!(hasPasswords && user.passwordHash != null) && !(await hasCompanyAccount(context, user))) {
    const also = hasPasswords ? 'set a password or ' : '';
    throw new AppError('last_passkey', `This is your only way to sign in: ${also}add another passkey first`);
  }
  if (user.lacksTwoStep()) {
    throw new AppError(
      'last_passkey',
      'The merchant requires two steps, and this is your second step: add another passkey or turn on two-step sign-in first',
    );
  }
}

/** An account at an issuer that the service no longer uses does not count. */
async function hasCompanyAccount(context: WriteContext, { id }: DashboardUser): Promise<boolean> {
  const { company } = context.config.signIn;
  if (!company) return false;
  const found = await rowsOf(context)`
    select from oidc_identity where user_id = ${id} and rtrim(issuer, '/') = rtrim(${company.issuer}, '/')`;
  return found.length > 0;
}
