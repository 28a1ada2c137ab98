// See docs/decisions/auth.md, "An address proves an account only where the operator lists its domain".
import { domainToASCII } from 'node:url';
import type { CompanyDomain } from '../../config/sign-in-settings.ts';
import type { Context, WriteContext } from '../../context.ts';
import { isSameMailbox } from '../../kit/email.ts';
import { hashToken } from '../../kit/ids.ts';
import type { Role } from '../../kit/permissions.ts';
import { run } from '../../platform/database/statement.ts';
import { noteAct } from '../audit/audit.service.ts';
import { Merchant } from '../merchants/merchant.entity.ts';
import { lockWithMerchant } from '../merchants/merchants.service.ts';
import { hasPasskey } from '../passkeys/passkeys.service.ts';
import { mailUser } from '../sessions/account-mails.service.ts';
import { requireCode } from '../sessions/codes.service.ts';
import { beginSession, findSession } from '../sessions/dashboard-session.service.ts';
import { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import { findUserByEmail, newDashboardUser, replacePassword } from '../sessions/dashboard-users.service.ts';
import { lockInvitationsTo } from '../team/invitations.service.ts';
import { maxTeam } from '../team/team.service.ts';
import type { Claims } from './issuer.ts';
import { OidcIdentity } from './oidc-identity.entity.ts';

export type Person = Omit<Claims, 'idToken'>;

export type Refusal =
  | 'unverified'
  | 'unknown'
  | 'not_listed'
  | 'taken'
  | 'passkey_first'
  | 'removed'
  | 'full'
  | 'misconfigured';

export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly problem: Refusal;

  constructor(problem: Refusal) {
    super(`The company sign-in was refused: ${problem}.`);
    this.problem = problem;
  }
}

type Entry = { token: string } | { codeFor: string };

export interface OwnProof {
  code?: string;
  /** The token of the session that the browser has already. */
  session?: string;
}

/** Returns the id of the user whose code is needed as well, and then nothing was changed. */
export async function enterWithCompany(tx: WriteContext, person: Person, proof: OwnProof = {}): Promise<Entry> {
  const { user, found } = await findUser(tx, person);
  // See docs/decisions/auth.md, "A company sign-in counts as two steps only if the company asked for two".
  const needsCode = user.hasTwoStep() && !(found === 'bound' && person.hasTwoFactors);
  if (needsCode && proof.code === undefined) return { codeFor: user.id };
  if (needsCode) await requireCode(tx, user, proof.code);
  const isKept = needsCode || found !== 'by address' || (await provesUser(tx, user, proof.session));
  if (!isKept) await replacePassword(tx, user, null);
  const { token } = await beginSession(tx, user, {
    action: 'signInWithCompany',
    hasTwoFactors: person.hasTwoFactors,
  });
  if (found !== 'bound') await bind(tx, user, person, { isKept });
  return { token };
}

interface Found {
  user: DashboardUser;
  found: 'bound' | 'by address' | 'new';
}

/** A user may have been made, or its passkey added, by a person who does not own the address. */
async function provesUser(tx: WriteContext, user: DashboardUser, token: string | undefined): Promise<boolean> {
  const session = token ? await findSession(tx, token) : null;
  const isOwn = session?.user.id === user.id;
  const needsPasskey = !user.hasTwoStep() && (await hasPasskey(tx, user.id));
  if (needsPasskey && !(isOwn && session.passkeyId != null)) throw new SignInRefused('passkey_first');
  return isOwn;
}

async function findUser(tx: WriteContext, person: Person): Promise<Found> {
  const { issuer, subject, email } = person;
  const identity = await tx.em.findOne(OidcIdentity, { issuer, subject });
  if (identity?.user) return { user: await lockUser(tx, { id: identity.user.id }), found: 'bound' };
  if (email === null) throw new SignInRefused('unverified');
  const domain = domainOf(tx, email);
  const user = await findByAddress(tx, email);
  if (user) return { user: await requireBindable(tx, user, { domain, issuer }), found: 'by address' };
  const invitation = await takeInvitation(tx, email, domain);
  if (identity && !invitation) throw new SignInRefused('removed');
  const place = invitation ?? (domain && (await placeIn(tx, domain)));
  if (!place) throw new SignInRefused('unknown');
  return { user: addUser(tx, { ...person, email }, place), found: 'new' };
}

function domainOf({ config }: Context, email: string): CompanyDomain | undefined {
  return config.signIn.company?.domains.get(domainToASCII(email.slice(email.lastIndexOf('@') + 1)));
}

async function findByAddress(tx: WriteContext, email: string): Promise<DashboardUser | null> {
  const user = await findUserByEmail(tx, email);
  return user && isSameMailbox(user.email, email) ? user : null;
}

/** The address may have been given to another person of the company since the account was bound. */
async function requireBindable(
  tx: WriteContext,
  { id }: DashboardUser,
  { domain, issuer }: { domain: CompanyDomain | undefined; issuer: string },
): Promise<DashboardUser> {
  if (!domain) throw new SignInRefused('not_listed');
  const user = await lockUser(tx, { id });
  // Another merchant may have made a user of the address, to get a person who believes to work for the own merchant.
  if (user.role !== 'operator' && user.merchant.id !== domain.merchantId) throw new SignInRefused('not_listed');
  if (await tx.em.findOne(OidcIdentity, { issuer, user: id })) throw new SignInRefused('taken');
  return user;
}

async function lockUser(tx: WriteContext, where: { id: string }): Promise<DashboardUser> {
  const user = await lockWithMerchant(tx, DashboardUser, where);
  if (!user) throw new SignInRefused('removed');
  return user;
}

interface Place {
  merchant: Merchant;
  role: Role;
  action: 'acceptInvitation' | 'createUser';
}

/**
 * Choice: of several invitations the newest counts. An invitation is for an address, so its domain need not be listed.
 * In a listed domain only the merchant of the domain invites, so that no other merchant gets a newcomer.
 */
async function takeInvitation(tx: WriteContext, email: string, domain?: CompanyDomain): Promise<Place | null> {
  const invitations = await lockInvitationsTo(tx, email);
  const mayInvite = ({ merchant }: { merchant: Merchant }) => !domain || merchant.id === domain.merchantId;
  const invitation = invitations.find((one) => isSameMailbox(one.email, email) && mayInvite(one));
  if (!invitation) return null;
  invitation.acceptedAt = tx.clock.now();
  const { merchant, role } = invitation;
  return { merchant, role, action: 'acceptInvitation' };
}

async function placeIn(tx: WriteContext, { merchantId, role }: CompanyDomain): Promise<Place> {
  const merchant = await tx.em.findOne(Merchant, { id: merchantId });
  if (!merchant) {
    tx.log.error({ merchantId }, 'OIDC_DOMAINS names a merchant that does not exist');
    throw new SignInRefused('misconfigured');
  }
  if ((await tx.em.count(DashboardUser, { merchant })) >= maxTeam) throw new SignInRefused('full');
  return { merchant, role, action: 'createUser' };
}

function addUser(tx: WriteContext, { email, name }: NewUser, { merchant, role, action }: Place): DashboardUser {
  const user = newDashboardUser(tx, { merchant, email, name, passwordHash: null, role });
  noteAct(tx, { merchantId: merchant.id, mode: null, by: user, action, subject: email });
  return user;
}

interface NewUser {
  email: string;
  name: string | null;
}

async function bind(
  tx: WriteContext,
  user: DashboardUser,
  { issuer, subject }: Person,
  { isKept }: { isKept: boolean },
): Promise<void> {
  const earlier = await tx.em.findOne(OidcIdentity, { issuer, subject });
  const identity = earlier ?? Object.assign(new OidcIdentity(), { issuer, subject, createdAt: tx.clock.now() });
  identity.user = user;
  tx.em.persist(identity);
  await mailUser(tx, user, 'company_account_bound', isKept ? {} : { Ended: 'The password and all earlier sessions' });
}

export const visitMs = 10 * 60_000;

/** Returns false if the state was used before. A cookie alone could be kept and sent again. */
export async function useState(tx: WriteContext, state: string): Promise<boolean> {
  const now = tx.clock.now();
  await run(tx)`delete from used_oidc_state where used_at < ${new Date(now.getTime() - visitMs)}`;
  return (await run(tx)`insert into used_oidc_state values (${hashToken(state)}, ${now}) on conflict do nothing`) > 0;
}
