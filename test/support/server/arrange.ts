/**
 * Takes and returns plain values, so that a test file can call each function over HTTP in the process of `npm test`.
 */

import type { PasskeyRegistration } from '@tillhook/openapi';
import { type Context, type EventOwner, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Mode } from '@tillhook/server/src/kit/mode.ts';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import { submitAttempt } from '@tillhook/server/src/money/payments/attempts.service.ts';
import { startCheckout } from '@tillhook/server/src/money/payments/payments.service.ts';
import { settleByHand } from '@tillhook/server/src/money/transfers/operator-transfers.service.ts';
import { startTransfer } from '@tillhook/server/src/money/transfers/transfers.service.ts';
import { post } from '@tillhook/server/src/money/wallets/post.ts';
import { creditCollection as credit } from '@tillhook/server/src/money/wallets/wallets.service.ts';
import { noteAct as noteInAuditLog } from '@tillhook/server/src/people/audit/audit.service.ts';
import { createApiKey } from '@tillhook/server/src/people/keys/api-keys.service.ts';
import { getMerchant, createMerchant as newMerchant } from '@tillhook/server/src/people/merchants/merchants.service.ts';
import {
  checkRegistration,
  creationOptions,
  savePasskey,
} from '@tillhook/server/src/people/passkeys/passkeys.service.ts';
import { replaceRecoveryCodes } from '@tillhook/server/src/people/sessions/codes.service.ts';
import { openSession as openDashboardSession } from '@tillhook/server/src/people/sessions/dashboard-session.service.ts';
import { DashboardUser } from '@tillhook/server/src/people/sessions/dashboard-user.entity.ts';
import { resetPassword } from '@tillhook/server/src/people/sessions/dashboard-users.service.ts';
import { hashPassword } from '@tillhook/server/src/people/sessions/password.ts';
import { sessionView } from '@tillhook/server/src/people/sessions/session.view.ts';
import { newTwoStepSecret } from '@tillhook/server/src/people/sessions/two-step.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { sql } from 'kysely';
import { breachesIn } from './ledger-breaches.ts';

export type Arrangements = typeof arrangements;

export type Arrange = <Name extends keyof Arrangements>(
  name: Name,
  given: Parameters<Arrangements[Name]>[1],
) => ReturnType<Arrangements[Name]>;

export const arrangements = {
  createMerchant,
  addUser,
  replacePassword,
  openSession,
  turnTwoStepOn,
  beginTwoStep,
  beginPasskey,
  addPasskey,
  leaveAttemptUndecided,
  createLiveTransfer,
  createPaymentUnderReview,
  fundLiveWallet,
  fundTestWallet,
  creditCollection,
  writeAuditEntry,
  unseal,
  findLedgerBreaches,
  countHeldCalls,
  ringHeldCalls,
  ringBell,
  ringPayouts,
  ringRefunds,
};

async function createMerchant(context: Context, { name }: { name: string }) {
  return inTransaction(withFreshEntityManager(context), async (tx) => {
    const merchant = newMerchant(tx, { name, currency: 'NGN' });
    const keyFor = (mode: Mode) => createApiKey(tx, merchant, { mode }).key;
    return { id: merchant.id, testKey: keyFor('test'), liveKey: keyFor('live') };
  });
}

async function addUser(
  context: Context,
  { merchantId, password, role = 'administrator' }: { merchantId: string; password: string; role?: Role },
) {
  const passwordHash = await hashPassword(password, cheap);
  const user = { id: newId(), email: `Ada@${newId()}.example`, role, passwordHash };
  await inTransaction(withFreshEntityManager(context), async (tx) => {
    const merchant = await getMerchant(tx, merchantId);
    const createdAt = tx.clock.now();
    tx.em.persist(Object.assign(new DashboardUser(), { ...user, merchant, createdAt }));
  });
  return user.email;
}

/** With the default cost of scrypt, each sign-in would take 0.2 seconds of processor time. */
const cheap = { N: 16, r: 8, p: 1 };

async function replacePassword(context: Context, given: { email: string; password: string }): Promise<void> {
  await inTransaction(withFreshEntityManager(context), (tx) => resetPassword(tx, given));
}

async function openSession(context: Context, { email }: { email: string }) {
  return inTransaction(withFreshEntityManager(context), async (tx) => {
    const user = await userOf(tx, email);
    const { session, token } = await openDashboardSession(tx, user);
    return { token, session: sessionView(session, session.user.merchant) };
  });
}

async function turnTwoStepOn(context: Context, { email }: { email: string }) {
  return inTransaction(withFreshEntityManager(context), async (tx) => {
    const user = await userOf(tx, email);
    const secret = newTwoStepSecret();
    user.turnTwoStepOn(tx.sealer.seal(secret, user.id), 0);
    return { secret, recoveryCodes: await replaceRecoveryCodes(tx, user) };
  });
}

/** Two-step sign-in is on after the user has confirmed the first code. */
async function beginTwoStep(context: Context, { email }: { email: string }) {
  return inTransaction(withFreshEntityManager(context), async (tx) => {
    const user = await userOf(tx, email);
    const secret = newTwoStepSecret();
    const pendingUntil = new Date(tx.clock.now().getTime() + 600_000);
    Object.assign(user, { pendingSecret: tx.sealer.seal(secret, user.id), pendingUntil });
    return { secret };
  });
}

/** The password was checked, and the authenticator may now make the passkey. */
async function beginPasskey(context: Context, { email }: { email: string }) {
  return inTransaction(withFreshEntityManager(context), async (tx) => creationOptions(tx, await userOf(tx, email)));
}

async function addPasskey(context: Context, { email, ...made }: { email: string } & PasskeyRegistration) {
  const fresh = withFreshEntityManager(context);
  const passkey = await checkRegistration(fresh, { name: 'add', userId: (await userOf(fresh, email)).id }, made);
  await inTransaction(fresh, async (tx) => savePasskey(tx, passkey));
  return { id: passkey.id };
}

async function userOf({ em }: Context, email: string): Promise<DashboardUser> {
  const user = await em.findOne(DashboardUser, { email });
  if (!user) throw new Error(`No user has the email ${email}.`);
  return user;
}

/** With `status`, an operator has settled the transfer; without `status`, the transfer waits for an operator. */
async function createLiveTransfer(
  context: Context,
  { merchantId, status }: { merchantId: string; status?: 'completed' },
) {
  await fundLiveWallet(context, { merchantId, amount: 1000 });
  return inTransaction(withFreshEntityManager(context), async (tx) => {
    const { currency } = await getMerchant(tx, merchantId);
    const actor = { type: 'key', apiKeyId: merchantId } as const;
    const principal = { merchantId, mode: 'live', currency, scopes: null, actor } as const;
    const payouts = { ...tx.payouts, serves: () => true };
    const recipient = { name: 'Grace Hopper', accountNumber: '9876543210', bankCode: '058' };
    const order = { reference: newId(), amount: 500, recipient };
    const { id, reference } = await startTransfer({ ...tx, payouts, principal }, order);
    return { id, reference, status };
  }).then(async ({ id, reference }) => {
    if (status) {
      await inTransaction(withFreshEntityManager(context), (tx) => settleByHand(tx, { id }, { result: status }));
    }
    return { id, reference };
  });
}

/** Creates a payment under review, as if a live processor had reported a wrong amount. */
async function createPaymentUnderReview(
  context: Context,
  { merchantId, mode = 'test' }: { merchantId: string; mode?: Mode },
) {
  return inTransaction(withFreshEntityManager(context), async (tx) => {
    const { currency } = await getMerchant(tx, merchantId);
    const principal = {
      merchantId,
      mode,
      currency,
      scopes: null,
      actor: { type: 'key', apiKeyId: merchantId },
    } as const;
    const payment = await startCheckout({ ...tx, principal }, { email: 'ada@example.com', amount: 500 });
    // `startCheckout` inserts the payment by SQL, so the ORM would not save a change of the entity.
    await sql`update payment set review_reason = 'amount_mismatch' where id = ${payment.id}`.execute(tx.em.getKysely());
    return { id: payment.id, reference: payment.reference };
  });
}

/** Submits a card and leaves the attempt open, as if the process had died before the processor answered. */
async function leaveAttemptUndecided(context: Context, { accessCode }: { accessCode: string }): Promise<void> {
  const card = { brand: 'mastercard', last4: '4444' } as const;
  await inTransaction(withFreshEntityManager(context), (tx) => submitAttempt(tx, accessCode, { card }));
}

interface Credit {
  merchantId: string;
  amount: number;
}

/** No API call can add this amount: only payments of customers bring money into live mode. */
function fundLiveWallet(context: Context, credited: Credit): Promise<void> {
  return fundWallet(context, 'live', credited);
}

/** Unlike the API, this function has no maximum amount. */
function fundTestWallet(context: Context, credited: Credit): Promise<void> {
  return fundWallet(context, 'test', credited);
}

async function fundWallet(context: Context, mode: Mode, { merchantId, amount }: Credit): Promise<void> {
  const owner = { merchantId, mode, currency: 'NGN' } as const;
  const moves = [{ from: 'funding', to: 'transfer', amount: BigInt(amount), type: 'test_funding' }] as const;
  const posting = { owner, kind: 'test_funding', sourceId: newId(), reference: null, moves } as const;
  await inTransaction(withFreshEntityManager(context), (tx) => post(tx, posting));
}

async function creditCollection(context: Context, { merchantId, amount }: Credit): Promise<void> {
  const owner = { merchantId, mode: 'test', currency: 'NGN' } as const;
  const payment = { ...owner, id: newId(), reference: 'order-1', amount: BigInt(amount) };
  await inTransaction(withFreshEntityManager(context), (tx) => credit(tx, payment));
}

async function writeAuditEntry(context: Context, act: Parameters<typeof noteInAuditLog>[1]): Promise<void> {
  await inTransaction(withFreshEntityManager(context), async (tx) => noteInAuditLog(tx, act));
}

async function unseal({ sealer }: Context, { sealed, id }: { sealed: string; id: string }): Promise<string> {
  return sealer.open(sealed, id);
}

async function findLedgerBreaches(context: Context, { merchantId }: { merchantId?: string | undefined }) {
  return breachesIn(context, merchantId);
}

async function countHeldCalls({ eventWaits }: Context, _given: Record<never, never>): Promise<number> {
  return eventWaits.count();
}

/** Wakes the waiting calls of this owner, as if this server had committed an event. */
async function ringHeldCalls({ eventWaits }: Context, owner: EventOwner): Promise<void> {
  eventWaits.ring(owner);
}

async function ringBell(context: Context, _given: Record<never, never>): Promise<void> {
  context.bell.ring();
}

async function ringRefunds(context: Context, _given: Record<never, never>): Promise<void> {
  context.refunds.ring();
}

async function ringPayouts(context: Context, _given: Record<never, never>): Promise<void> {
  context.payouts.ring();
}
