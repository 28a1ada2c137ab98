/**
 * The client of the issuer, by OpenID Connect. The library is loaded at the first sign-in. The operator chose the
 * issuer, but its answers come from a network: they are bounded, and each is checked.
 */
import type * as OpenId from 'openid-client';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kit/clock.ts';
import { canonicalEmail } from '../../kit/email.ts';
import { hourMs } from '../../kit/hours.ts';
import { boundedFetch, NoAnswerError } from '../../wire/bounded-fetch.ts';

export type CompanySettings = NonNullable<Config['signIn']['company']>;

/** What the browser keeps, sealed, while the user is at the issuer. */
export interface Visit {
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** What the issuer says of a person, after every check of the answer. */
export interface Claims {
  issuer: string;
  subject: string;
  /** Null unless the issuer says that the address is verified, or the operator trusts an issuer that never says it. */
  email: string | null;
  name: string | null;
  /** Whether the issuer says that the person proved two factors. */
  hasTwoFactors: boolean;
  idToken: string;
}

export type IssuerProblem = 'unreachable' | 'invalid' | 'cancelled' | 'again';

export class IssuerError extends Error {
  override name = 'IssuerError';
  readonly problem: IssuerProblem;

  constructor(problem: IssuerProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

export interface Issuer {
  begin(): Promise<{ url: string; visit: Visit }>;
  finish(callback: URLSearchParams, visit: Visit): Promise<Claims>;
  /** The page of the issuer that ends the company's session; null when the issuer has none. */
  signOutUrl(idToken: string | null): Promise<string | null>;
}

interface Place {
  callbackUrl: string;
  signedOutUrl: string;
  clock: Clock;
}

/** After this time, the addresses of the issuer are read again. The library itself reads new signing keys. */
const rememberedMs = hourMs;

export function createIssuer(settings: CompanySettings, { callbackUrl, signedOutUrl, clock }: Place): Issuer {
  let known: { client: Promise<Client>; readAt: number } | undefined;

  async function client(): Promise<Client> {
    const now = clock.now().getTime();
    if (!known || now - known.readAt > rememberedMs) known = { client: discover(settings), readAt: now };
    return known.client.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
  }

  return {
    begin: () =>
      explained(async () => {
        const { library, configuration } = await client();
        const [state, nonce] = [library.randomState(), library.randomNonce()];
        const verifier = library.randomPKCECodeVerifier();
        const url = library.buildAuthorizationUrl(configuration, {
          redirect_uri: callbackUrl,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        if (url.protocol !== 'https:' && !isHere(settings)) {
          throw new IssuerError('invalid', 'The authorization endpoint of the issuer is not https.');
        }
        return { url: url.href, visit: { issuer: settings.issuer, state, nonce, verifier } };
      }),
    finish: (callback, { issuer, state, nonce, verifier }) =>
      explained(async () => {
        // The operator may have changed the issuer while the user was away.
        if (issuer !== settings.issuer) throw new IssuerError('again', 'The visit began at another issuer.');
        const { library, configuration } = await client();
        const answer = await library.authorizationCodeGrant(configuration, new URL(`${callbackUrl}?${callback}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return claimsOf(await client(), answer, settings);
      }).catch((error: unknown) => {
        // The issuer may have changed its addresses or keys.
        known = undefined;
        throw error;
      }),
    signOutUrl: (idToken) =>
      explained(async () => {
        const { library, configuration } = await client();
        if (!configuration.serverMetadata().end_session_endpoint) return null;
        return library.buildEndSessionUrl(configuration, {
          ...(idToken !== null && { id_token_hint: idToken }),
          post_logout_redirect_uri: signedOutUrl,
        }).href;
      }),
  };
}

interface Client {
  library: typeof OpenId;
  configuration: OpenId.Configuration;
}

async function discover({ issuer, clientId, clientSecret }: CompanySettings): Promise<Client> {
  const library = await import('openid-client');
  const secretIn: OpenId.ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = methods.includes('client_secret_basic') ? library.ClientSecretBasic : library.ClientSecretPost;
    way(clientSecret)(server, ...rest);
  };
  const url = new URL(issuer);
  const configuration = await library.discovery(url, clientId, { client_secret: clientSecret }, secretIn, {
    [library.customFetch]: boundedFetch as unknown as OpenId.CustomFetch,
    // Without this check, the library would trust TLS alone and not look at the signature of the ID token.
    execute: [library.enableNonRepudiationChecks, ...(isHere({ issuer }) ? [library.allowInsecureRequests] : [])],
  });
  return { library, configuration };
}

/** Only an issuer on this machine may be without https. */
const isHere = ({ issuer }: Pick<CompanySettings, 'issuer'>) => issuer.startsWith('http:');

async function claimsOf(
  { library, configuration }: Client,
  answer: Answer,
  { trustsEmail }: CompanySettings,
): Promise<Claims> {
  const claims = answer.claims();
  if (!claims || !answer.id_token) throw new IssuerError('invalid', 'The answer has no ID token.');
  if (!isSubject.test(claims.sub)) throw new IssuerError('invalid', 'The subject is not 1 to 255 ASCII characters.');
  // Many issuers leave the address out of the ID token, and say it only to those who ask with the access token.
  const mayAsk = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const person = mayAsk ? await library.fetchUserInfo(configuration, answer.access_token, claims.sub) : claims;
  const { email, email_verified: isVerified, name } = person;
  const isProven = isVerified === true || (trustsEmail && isVerified === undefined);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' && isProven && isAddress.test(email) ? canonicalEmail(email) : null,
    name: typeof name === 'string' && isOneLine.test(name) ? name : null,
    hasTwoFactors: Array.isArray(claims.amr) && claims.amr.includes('mfa'),
    idToken: answer.id_token,
  };
}

const isSubject = /^[\x20-\x7e]{1,255}$/;
const isAddress = /^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
/** Without control characters, and without characters that turn the direction of text. */
const isOneLine = /^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,120}$/u;

type Answer = Awaited<ReturnType<typeof OpenId.authorizationCodeGrant>>;

/** Rejects with an `IssuerError`, whose message can be logged: the errors of the library contain tokens. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explanationOf(error);
  }
}

function explanationOf(error: unknown): IssuerError {
  const { name = '', code = '', message = '' } = error as { name?: string; code?: string; message?: string };
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof IssuerError) return inner;
    if (inner instanceof NoAnswerError) return new IssuerError('unreachable', inner.message);
  }
  const said = String((error as { error?: unknown }).error).slice(0, 40);
  if (name === 'AuthorizationResponseError') {
    return new IssuerError(said === 'access_denied' ? 'cancelled' : 'invalid', `The issuer answered ${said}.`);
  }
  if (name === 'ResponseBodyError') {
    return new IssuerError(said === 'invalid_grant' ? 'again' : 'invalid', `The issuer answered ${said}.`);
  }
  return new IssuerError('invalid', `${code} ${message}`.trim());
}
