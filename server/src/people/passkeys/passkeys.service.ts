/**
 * Checks what browsers answer to challenges, by the W3C's Web Authentication. User verification is required, so that a
 * passkey is two steps: the device, and the finger, face or PIN of its owner. The library, with 250 files, is imported
 * when it is needed first.
 * See docs/decisions/auth.md, "A passkey alone is two steps".
 */
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { browserName } from '../../../look/browser-words.ts';
import type { Context, CoreContext, WriteContext } from '../../context.ts';
import { AppError, invalid } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { canUsePasskeys } from '../../kit/passkey-url.ts';
import { authenticatorName } from './authenticators.ts';
import { type Ceremony, challengeLifeMs, createChallenge, takeChallenge } from './challenges.service.ts';
import { Passkey } from './passkey.entity.ts';

/** EdDSA, ES256 and RS256. Choice: no algorithm that only some versions of Node can verify. */
const algorithms = [-8, -7, -257];

function relyingParty({ publicUrl }: Pick<CoreContext, 'publicUrl'>) {
  if (!canUsePasskeys(publicUrl)) {
    throw new AppError(
      'passkeys_unavailable',
      'Passkeys need a PUBLIC_URL with https and a domain name, or http://localhost',
    );
  }
  const { hostname, origin } = new URL(publicUrl);
  return { expectedRPID: hostname, expectedOrigin: origin };
}

/** What `navigator.credentials.create` returned, in base64url. */
interface Registration {
  credentialId: string;
  clientDataJSON: string;
  attestationObject: string;
  transports?: string[];
}

/** What `navigator.credentials.get` returned, in base64url. */
export interface Assertion {
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}

type Creation = 'add' | 'invitation';

interface Owner {
  id: string;
  email: string;
}

/** Returns what `PublicKeyCredential.parseCreationOptionsFromJSON` reads in a browser. */
export async function creationOptions(tx: WriteContext, { id, email }: Owner, name: Creation = 'add') {
  const { expectedRPID } = relyingParty(tx);
  return {
    challenge: await createChallenge(tx, { name, subject: id }),
    rp: { id: expectedRPID, name: 'Tillhook' },
    user: { id: userHandle(id), name: email, displayName: email },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLifeMs,
    excludeCredentials: (await findPasskeysOf(tx, id)).map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

/** Returns what `PublicKeyCredential.parseRequestOptionsFromJSON` reads in a browser. */
export async function requestOptions(tx: WriteContext, ceremony: Ceremony) {
  const { expectedRPID } = relyingParty(tx);
  const allowed = ceremony.subject === null ? [] : await findPasskeysOf(tx, ceremony.subject);
  return {
    challenge: await createChallenge(tx, ceremony),
    rpId: expectedRPID,
    timeout: challengeLifeMs,
    userVerification: 'required',
    allowCredentials: allowed.map(descriptorOf),
  };
}

export type NewPasskey = Awaited<ReturnType<typeof checkRegistration>>;

/** Returns the values of the passkey, of which `savePasskey` makes a new entity each time that a transaction is retried. */
export async function checkRegistration(
  context: Context,
  { name, userId }: { name: Creation; userId: string },
  { credentialId, clientDataJSON, attestationObject, transports = [] }: Registration,
) {
  const party = relyingParty(context);
  const expectedChallenge = await takeChallenge(context, { name, subject: userId }, clientDataJSON);
  if (expectedChallenge === null) throw notBegun();
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { credential, aaguid } = await registered(context, async () =>
    verifyRegistrationResponse({
      response: {
        ...published(credentialId),
        response: { clientDataJSON, attestationObject: await unattested(attestationObject) },
      },
      expectedChallenge,
      ...party,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  return {
    id: newId(),
    userId,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports,
    name: authenticatorName(aaguid) ?? browserName(context.client?.browser ?? '') ?? 'Passkey',
    createdAt: context.clock.now(),
    lastUsedAt: null,
    copySeenAt: null,
  };
}

export function savePasskey({ em }: WriteContext, values: NewPasskey): Passkey {
  const passkey = Object.assign(new Passkey(), values);
  em.persist(passkey);
  return passkey;
}

async function registered(context: Context, verify: () => Promise<VerifiedRegistrationResponse>) {
  const verdict = await verify().catch((error: Error) => ({ verified: false as const, error }));
  if (verdict.verified) return verdict.registrationInfo;
  context.log.info(
    { err: 'error' in verdict ? verdict.error : undefined },
    'Refused a passkey that a user wanted to add',
  );
  throw invalid('invalid_parameter', 'attestationObject', 'is no passkey that was made for this service and challenge');
}

/** A signature that is right, with the counter that it covers. */
export interface Signed {
  passkey: Passkey;
  counter: number;
}

/** Returns null when the answer is not accepted, for whatever reason. The caller has to check the counter. */
export async function checkAssertion(
  context: Context,
  ceremony: Ceremony,
  { credentialId, clientDataJSON, authenticatorData, signature, userHandle: handle }: Assertion,
): Promise<Signed | null> {
  const party = relyingParty(context);
  const expectedChallenge = await takeChallenge(context, ceremony, clientDataJSON);
  // Only operations that begin with a challenge document its error. In others, the passkey stands for the password.
  if (expectedChallenge === null && ceremony.name === 'sign-in') throw notBegun();
  if (expectedChallenge === null) return null;
  const { subject } = ceremony;
  const passkey = await context.em.findOne(Passkey, { credentialId, ...(subject !== null && { userId: subject }) });
  if (!passkey || (handle && handle !== userHandle(passkey.userId))) return null;
  const { publicKey, transports } = passkey;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...published(credentialId), response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge,
      ...party,
      // The library compares the counter before it checks the signature, so anybody could make it go back.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0, transports },
    });
    return verified ? { passkey, counter: authenticationInfo.newCounter } : null;
  } catch (error) {
    context.log.info({ err: error, passkeyId: passkey.id }, 'Refused the answer of a passkey');
    return null;
  }
}

export function findPasskeysOf({ em }: Context, userId: string): Promise<Passkey[]> {
  return em.find(Passkey, { userId }, { orderBy: { createdAt: 'desc', id: 'desc' } });
}

export async function hasPasskey({ em }: Context, userId: string): Promise<boolean> {
  return (await em.count(Passkey, { userId })) > 0;
}

/** Choice: an unknown passkey, a wrong signature and a passkey of another user give the same error. */
export const refusedPasskey = () => new AppError('invalid_credentials', 'This passkey is not accepted');

const notBegun = () =>
  new AppError('passkey_not_begun', 'The challenge is more than five minutes old, or was used already: begin again');

const published = (id: string) => ({ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} });

const descriptorOf = ({ credentialId, transports }: Passkey) => ({ type: 'public-key', id: credentialId, transports });

/** The id contains no email and no name, because the authenticator can show it before it has verified the user. */
const userHandle = (userId: string): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

/**
 * Removes the statement in which a manufacturer attests the authenticator. The service accepts every authenticator, and
 * for some statements the library would load a revocation list from an address that the caller chose.
 */
async function unattested(attestationObject: string): Promise<string> {
  const { isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = isoCBOR
    .decodeFirst<Map<string, Uint8Array>>(isoBase64URL.toBuffer(attestationObject))
    .get('authData');
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare as Parameters<typeof isoCBOR.encode>[0]));
}
