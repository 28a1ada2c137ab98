import type { IncomingMessage, ServerResponse } from 'node:http';
import test from 'ava';
import { testSealer } from '../support/database/sealer.ts';
import { companyForFile } from '../support/oidc/company.ts';
import { client, startIssuer } from '../support/oidc/issuer.ts';
import { Visitor } from '../support/oidc/visitor.ts';
import { startServer } from '../support/server/tillhook.ts';

const [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
const { settings, server, colleague, grantsNothing } = companyForFile(issuer);

test.serial('a session begins only with the answer that belongs to this browser, and only once', async (t) => {
  const who = colleague();
  const visitor = new Visitor();
  const url = await visitor.goToIssuer(server(), who);
  const cookies = [...visitor.cookies(url)];
  await grantsNothing(t, 'again', () => new Visitor().open(url));

  t.is(await visitor.open(url), '/dashboard/test/payments');

  t.false(visitor.cookies(url).has('tillhook_oidc'));
  await grantsNothing(t, 'again', () => visitor.open(url));
  issuer.paths.length = 0;
  const copy = new Visitor();
  for (const [name, value] of cookies) copy.addCookie(url, name, value);
  await grantsNothing(t, 'again', () => copy.open(url));
  t.deepEqual(issuer.paths, [], 'the issuer is not asked a second time');
});

test.serial('a sign-in that waited for longer than ten minutes grants nothing', async (t) => {
  const visitor = new Visitor();
  const url = await visitor.goToIssuer(server(), colleague());
  const sealer = testSealer();
  const name = 'tillhook_oidc';
  const kept = JSON.parse(sealer.open(decodeURIComponent(visitor.cookies(url).get(name) ?? ''), name));
  t.true(kept.until > Date.now() + 590_000 && kept.until < Date.now() + 610_000);
  const old = sealer.seal(JSON.stringify({ ...kept, until: Date.now() }), name);
  visitor.addCookie(url, name, encodeURIComponent(old));
  await grantsNothing(t, 'again', () => visitor.open(url));
});

test.serial('a sign-in that began at one issuer cannot end at another issuer', async (t) => {
  const elsewhere = await startServer(t, { ...settings, DATABASE_URL: server().database.url, OIDC_ISSUER: other.url });
  other.serve(elsewhere.url);
  const visitor = new Visitor();
  const url = await visitor.goToIssuer(server(), colleague());
  await grantsNothing(t, 'again', () => visitor.open(url.replace(server().url, elsewhere.url)));
  t.deepEqual(other.paths, []);
});

test.serial('a network that begins too many sign-ins has to wait', async (t) => {
  const limited = await startServer(t, { ...settings, RATE_LIMITS: 'company_sign_in:1/100' });
  const start = () => new Visitor().open(`${limited.url}/dashboard/oidc/start`);
  t.true((await start()).startsWith(issuer.url));
  await grantsNothing(t, 'too_many', start, limited);
});

const spoiledClaims: Record<string, (claims: Record<string, unknown>) => Record<string, unknown>> = {
  'the nonce of another sign-in': (claims) => ({ ...claims, nonce: 'another' }),
  'no nonce': ({ nonce: _nonce, ...claims }) => claims,
  'another issuer': (claims) => ({ ...claims, iss: 'http://localhost:1' }),
  'another audience': (claims) => ({ ...claims, aud: 'another-client' }),
  'two audiences, and another authorized party': (claims) => ({ ...claims, aud: [client.id, 'b'], azp: 'b' }),
  'an end that is over': (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 120 }),
  'a subject that is too long': (claims) => ({ ...claims, sub: 'a'.repeat(256) }),
  'no subject': ({ sub: _sub, ...claims }) => claims,
};

for (const [title, claims] of Object.entries(spoiledClaims)) {
  test.serial(`an ID token with ${title} grants nothing`, async (t) => {
    const who = colleague();
    issuer.answers = { claims };
    await grantsNothing(t, 'invalid', () => new Visitor().signIn(server(), who));
  });
}

test.serial('an ID token that a stranger signed grants nothing', async (t) => {
  const who = colleague();
  issuer.answers = { isForged: true };
  await grantsNothing(t, 'invalid', () => new Visitor().signIn(server(), who));
});

const spoiledCallbacks: Record<string, [problem: string, change: (url: URLSearchParams) => void]> = {
  'with the state of another sign-in': ['invalid', (query) => query.set('state', 'another')],
  'without a state': ['invalid', (query) => query.delete('state')],
  'that names another issuer': ['invalid', (query) => query.set('iss', 'http://localhost:1')],
  'that names no issuer': ['invalid', (query) => query.delete('iss')],
  'with the code of another sign-in': ['again', (query) => query.set('code', 'another')],
  'with two codes': ['invalid', (query) => query.append('code', 'another')],
};

for (const [title, [problem, change]] of Object.entries(spoiledCallbacks)) {
  test.serial(`a callback ${title} grants nothing`, async (t) => {
    const visitor = new Visitor();
    const url = new URL(await visitor.goToIssuer(server(), colleague()));
    change(url.searchParams);
    await grantsNothing(t, problem, () => visitor.open(url.href));
  });
}

test.serial('a person who cancels at the issuer reads that the sign-in was cancelled', async (t) => {
  const visitor = new Visitor();
  const url = new URL(await visitor.goToIssuer(server(), colleague()));
  url.searchParams.delete('code');
  url.searchParams.set('error', 'access_denied');
  await grantsNothing(t, 'cancelled', () => visitor.open(url.href));
});

const links = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/test\\@evil.example',
  '/testing',
  'javascript:alert(1)',
  '/test/\r\nSet-Cookie: a=b',
];

test.serial('a link to the sign-in leads only to pages of the dashboard', async (t) => {
  const who = colleague();
  for (const from of links) t.is(await new Visitor().signIn(server(), who, from), '/dashboard/', from);
});

test.serial('sign-out ends the session of the company too, but not for a link of another site', async (t) => {
  const visitor = new Visitor();
  await visitor.signIn(server(), colleague());
  const path = `${server().url}/dashboard/oidc/sign-out`;
  const foreign = await fetch(path, { redirect: 'manual', headers: { 'sec-fetch-site': 'cross-site', cookie: 'a=b' } });
  t.is(foreign.headers.get('location'), '/dashboard/sign-in?problem=again');

  const url = new URL(await visitor.open(path));

  t.is(url.origin + url.pathname, `${issuer.url}/session/end`);
  t.is(url.searchParams.get('post_logout_redirect_uri'), `${server().url}/dashboard/sign-in`);
  t.truthy(url.searchParams.get('id_token_hint'));
  t.is(await visitor.open(path), '/dashboard/sign-in', 'only once');
  t.deepEqual([...visitor.cookies(path).keys()].sort(), ['tillhook_browser', 'tillhook_session']);
});

let sentBytes = 0;

const bad: Record<string, (request: IncomingMessage, response: ServerResponse) => boolean> = {
  'closes the connection': (request) => {
    request.socket.destroy();
    return true;
  },
  'answers 500': (_request, response) => {
    response.writeHead(500).end('{}');
    return true;
  },
  'sends an answer without an end': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const send = () => {
      do sentBytes += 65_536;
      while (!response.destroyed && response.write('{"a":"'.padEnd(65_536, 'a')));
    };
    response.on('drain', send);
    send();
    return true;
  },
};

for (const [title, answer] of Object.entries(bad)) {
  test.serial(`an issuer that ${title} grants nothing, at the start and at each later request`, async (t) => {
    const fresh = await startServer(t, settings);
    issuer.serve(fresh.url);
    t.teardown(() => issuer.serve(server().url));
    const answersBadly = (path: string) => {
      issuer.answers = {
        instead: (request, response) => (request.url?.startsWith(path) ? answer(request, response) : false),
      };
    };
    answersBadly('/.well-known');
    await grantsNothing(t, 'unreachable', () => new Visitor().open(`${fresh.url}/dashboard/oidc/start`), fresh);
    for (const path of ['/token', '/jwks', '/me']) {
      issuer.answers = {};
      const visitor = new Visitor();
      const url = await visitor.goToIssuer(fresh, colleague());
      answersBadly(path);
      await grantsNothing(t, 'unreachable', () => visitor.open(url), fresh);
    }
    t.true(sentBytes < 20_000_000, `${sentBytes} bytes were read`);
  });
}

test.serial('an issuer that answers byte by byte grants nothing, and the service does not wait for it', async (t) => {
  const visitor = new Visitor();
  const url = await visitor.goToIssuer(server(), colleague());
  issuer.answers = {
    instead: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(timer));
      return true;
    },
  };
  await grantsNothing(t, 'unreachable', () => visitor.open(url));
});

test.serial('without its settings the service has no company sign-in', async (t) => {
  const plain = await startServer(t);
  t.is(
    (await fetch(`${plain.url}/dashboard/oidc/start`, { redirect: 'manual' })).status,
    200,
    'the dashboard says that there is no such page',
  );
});
