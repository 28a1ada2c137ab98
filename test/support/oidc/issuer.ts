/** A real issuer, in the process of the test. A test may change what the issuer answers, as an attacker would. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Provider } from 'oidc-provider';

export const client = { id: 'tillhook', secret: 'a-secret-of-the-client' };

export interface Colleague {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

type Claims = Record<string, unknown>;

export interface Answers {
  /** Changes the claims of an ID token, which is then signed again. */
  claims?: (claims: Claims) => Claims;
  /** Signs ID tokens with a key that the issuer does not publish. */
  isForged?: boolean;
  /** Answers a request itself, when it returns true. */
  instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface TestIssuer {
  url: string;
  /** By subject, which is also what a colleague types to sign in at the issuer. */
  people: Map<string, Colleague>;
  answers: Answers;
  /** The paths of the requests so far. */
  paths: string[];
  serve(serviceUrl: string): void;
}

/** The issuer is at 127.0.0.1 and the service at `localhost`, so that for browsers each is another site. */
export async function startIssuer(): Promise<TestIssuer> {
  const [own, forged] = [newKey('own'), newKey('own')];
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => {
    issuer.paths.push(request.url ?? '');
    if (issuer.answers.instead?.(request, response)) return;
    handle?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    people: new Map(),
    answers: {},
    paths: [],
    serve(serviceUrl) {
      const provider = withoutWarnings(() => createProvider(issuer, serviceUrl, own.jwk));
      provider.use(async (ctx, next) => {
        await next();
        // The pages of the library load a font from another site.
        if (typeof ctx.body === 'string') ctx.body = ctx.body.replaceAll(/@import url\([^)]*\);/g, '');
        const body = ctx.body as { id_token?: string } | undefined;
        if (ctx.path !== '/token' || !body?.id_token) return;
        const { claims = (same) => same, isForged } = issuer.answers;
        body.id_token = signed(claims(claimsIn(body.id_token)), isForged ? forged.key : own.key);
      });
      handle = provider.callback();
    },
  };
  test.after.always(() => {
    server.closeAllConnections();
    server.close();
  });
  return issuer;
}

/** The library warns that it is not set up for production, on every start. */
function withoutWarnings<Made>(make: () => Made): Made {
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  try {
    return make();
  } finally {
    Object.assign(console, { info, warn });
  }
}

function createProvider(issuer: TestIssuer, serviceUrl: string, jwk: object): Provider {
  return new Provider(issuer.url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${serviceUrl}/dashboard/oidc/callback`],
        post_logout_redirect_uris: [`${serviceUrl}/dashboard/sign-in`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['for tests'] },
    jwks: { keys: [jwk] },
    features: { rpInitiatedLogout: { logoutSource } },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...issuer.people.get(sub) }) }),
  });
}

const logoutSource = async (ctx: { body: unknown }, form: string) => {
  ctx.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`;
};

function newKey(kid: string) {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { key, jwk: { ...key.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } };
}

function claimsIn(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function signed(claims: Claims, key: Parameters<typeof sign>[2]): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', kid: 'own' })}.${part(claims)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}
