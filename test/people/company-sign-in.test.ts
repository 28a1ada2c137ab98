import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import test, { type ExecutionContext } from 'ava';
import { client, startIssuer } from '../support/oidc/issuer.ts';
import { Visitor } from '../support/oidc/visitor.ts';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import { errorIn } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';
import { addUser } from '../support/users/users.ts';

const merchantId = '019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60';
const [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
const settings = {
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_DOMAINS: `example.com=${merchantId}`,
  SEED_DEMO: 'true',
};
const server = serverForFile(settings);

let people = 0;

let isArranged = false;

test.beforeEach(async () => {
  if (isArranged) return;
  isArranged = true;
  issuer.serve(server().url);
  const { id } = await server().createMerchant('Example Company');
  const copy = `insert into merchant select (jsonb_populate_record(merchant, jsonb_build_object('id', $2::text))).*
    from merchant where id = $1`;
  await server().database.query(copy, [id, merchantId]);
});

test.afterEach.always(() => {
  issuer.answers = {};
});

test.serial(
  'a colleague of a listed domain becomes a user with the role to begin with, and is known from then on',
  async (t) => {
    const who = colleague({ name: 'Grace' });

    t.is(
      await new Visitor().signIn(server(), who, '/live/deliveries?status=failed'),
      '/dashboard/live/deliveries?status=failed',
    );
    issuer.people.set(who, { email: 'other@elsewhere.example' });
    t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments');

    const email = `${who}@example.com`;
    t.deepEqual(await usersWith(email), [{ role: 'viewer', merchant_id: merchantId, password_hash: null }]);
    t.deepEqual(await actsOf(email), ['createUser', 'signInWithCompany', 'signInWithCompany']);
    t.is(await countMails(email), 1, 'only the first sign-in is reported');
  },
);

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
  const sealer = createSealer(loadConfig({ MASTER_KEYS: process.env.TEST_MASTER_KEYS }).masterKeys ?? []);
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

test.serial('an address that is not verified, or not of a listed domain, grants nothing', async (t) => {
  const signIn = (who: string) => new Visitor().signIn(server(), who);
  const unverified: Record<string, unknown>[] = [
    { email_verified: false },
    { email_verified: 'true' },
    { email_verified: undefined },
    { email: undefined },
    { email: 'ada@example.com@elsewhere.example' },
    { email: 'ada@example.com\u0000' },
    { email: `${'a'.repeat(250)}@example.com` },
  ];
  for (const person of unverified) await grantsNothing(t, 'unverified', () => signIn(colleague(person)));
  for (const email of ['ada@elsewhere.example', 'ada@sub.example.com']) {
    await grantsNothing(t, 'unknown', () => signIn(colleague({ email })));
  }
});

test.serial('a verified address opens an existing user only where its domain is listed', async (t) => {
  const merchant = await server().createMerchant('Ada’s Books');
  const listed = await userWithAddress(merchant.id, `${newName()}@example.com`);
  const foreign = await userWithAddress(merchant.id, `${newName()}@elsewhere.example`);

  t.is(await new Visitor().signIn(server(), colleague({ email: listed.toUpperCase() })), '/dashboard/test/payments');
  await grantsNothing(t, 'not_listed', () => new Visitor().signIn(server(), colleague({ email: foreign })));
  await grantsNothing(t, 'taken', () => new Visitor().signIn(server(), colleague({ email: listed })));
  const lookAlike = listed.replace('k', '\u212a');
  t.not(lookAlike, listed);
  t.is(await new Visitor().signIn(server(), colleague({ email: lookAlike })), '/dashboard/test/payments');
  t.is((await usersWith(listed)).length, 1);
  t.is((await identitiesOf(listed)).length, 1, 'the look-alike has a user of its own');
});

test.serial(
  'an open invitation lets its address in, with its role, unless another merchant has its domain',
  async (t) => {
    const { id: employer } = await server().createMerchant('Ada’s Books');
    const invite = async (ended = '', domain = 'elsewhere.example') => {
      const who = colleague({ email: `${newName()}@${domain}` });
      await server().database.query(
        `insert into invitation (id, merchant_id, email, role, token_hash, created_at, expires_at${ended && `, ${ended}`})
        values (gen_random_uuid(), $1, upper($2), 'developer', decode(md5($2), 'hex'), now(),
          now() + interval '7 days'${ended && ', now()'})`,
        [employer, issuer.people.get(who)?.email],
      );
      return who;
    };
    const who = await invite();
    const email = issuer.people.get(who)?.email ?? '';

    t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments');

    t.deepEqual(await usersWith(email), [{ role: 'developer', merchant_id: employer, password_hash: null }]);
    const accepted = 'select accepted_at is not null as is_used from invitation where email = upper($1)';
    t.deepEqual(await server().database.query(accepted, [email]), [{ is_used: true }]);
    t.deepEqual(await actsOf(email), ['acceptInvitation', 'signInWithCompany']);
    for (const ended of ['accepted_at', 'revoked_at']) {
      const late = await invite(ended);
      await grantsNothing(t, 'unknown', () => new Visitor().signIn(server(), late));
    }
    const late = await invite();
    await server().database.query('update invitation set expires_at = now() where accepted_at is null');
    await grantsNothing(t, 'unknown', () => new Visitor().signIn(server(), late));
    const newcomer = await invite('', 'example.com');
    await new Visitor().signIn(server(), newcomer);
    t.like(await usersWith(issuer.people.get(newcomer)?.email ?? ''), [{ role: 'viewer', merchant_id: merchantId }]);
  },
);

test.serial('a merchant with as many users as are allowed gets no more by its domain', async (t) => {
  const fill = `insert into dashboard_user (id, merchant_id, email, role, created_at)
    select gen_random_uuid(), $1, n || '@full.example', 'viewer', now() from generate_series(1, 500) n`;
  await server().database.query(fill, [merchantId]);
  await grantsNothing(t, 'full', () => new Visitor().signIn(server(), colleague()));
  await server().database.query("delete from dashboard_user where email like '%@full.example'");
});

test.serial('a removed person stays out, although the domain is listed', async (t) => {
  const who = colleague();
  await new Visitor().signIn(server(), who);
  await server().database.query('delete from dashboard_session');
  await server().database.query('delete from dashboard_user where email = $1', [issuer.people.get(who)?.email]);

  await grantsNothing(t, 'removed', () => new Visitor().signIn(server(), who));
});

test.serial('the user of a suspended merchant is refused, whether known or not', async (t) => {
  const merchant = await server().createMerchant('Ada’s Books');
  const email = await userWithAddress(merchant.id, `${newName()}@example.com`);
  const who = colleague({ email });
  await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);
  await grantsNothing(t, 'suspended', () => new Visitor().signIn(server(), who));

  await server().database.query('update merchant set suspended_at = null where id = $1', [merchant.id]);
  t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments');
  await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);
  await grantsNothing(t, 'suspended', () => new Visitor().signIn(server(), who));
});

test.serial(
  'a user with two-step sign-in types a code, unless the issuer says that it asked for two factors',
  async (t) => {
    const merchant = await server().createMerchant('Ada’s Books');
    const email = await userWithAddress(merchant.id, `${newName()}@example.com`);
    const { secret, recoveryCodes } = await server().arrange('turnTwoStepOn', { email });
    const who = colleague({ email });
    const visitor = new Visitor();
    issuer.answers = { claims: (claims) => ({ ...claims, amr: ['pwd', 'mfa'] }) };
    const post = (code: string) => visitor.ask(`${server().url}/dashboard/oidc/code`, { code });
    const leadsTo = async (answer: Promise<Response>) => (await answer).headers.get('location');

    await grantsNothing(t, null, () => visitor.signIn(server(), who), { also: 'step=code' });
    await grantsNothing(t, 'wrong_code', async () => (await leadsTo(post('000000'))) ?? '', { also: 'step=code' });
    t.is(await leadsTo(post(codeOf(secret))), '/dashboard/test/payments');
    t.regex((await leadsTo(post(recoveryCodes[0] ?? ''))) ?? '', /problem=again/);

    t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments', 'the company asked for two factors');
    issuer.answers = { claims: (claims) => ({ ...claims, amr: ['pwd'] }) };
    await grantsNothing(t, null, () => new Visitor().signIn(server(), who), { also: 'step=code' });
  },
);

test.serial('a merchant that requires two-step sign-in is content with two factors at the company', async (t) => {
  const merchant = await server().createMerchant('Ada’s Books');
  await server().database.query('update merchant set requires_two_step = true where id = $1', [merchant.id]);
  const who = colleague({ email: await userWithAddress(merchant.id, `${newName()}@example.com`) });
  const read = async (amr: string[]) => {
    issuer.answers = { claims: (claims) => ({ ...claims, amr }) };
    const visitor = new Visitor();
    await visitor.signIn(server(), who);
    const token = visitor.cookies(server().url).get('tillhook_session');
    const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };
    return (await fetch(`${server().url}/api/v1/payments`, { headers })).status;
  };

  t.is(await read(['pwd']), 403);
  t.is(await read(['pwd', 'mfa']), 200);
});

test.serial('a user without a password turns two-step sign-in on only soon after the sign-in', async (t) => {
  const visitor = new Visitor();
  await visitor.signIn(server(), colleague());
  const headers = {
    cookie: `tillhook_session=${visitor.cookies(server().url).get('tillhook_session')}`,
    'x-service-mode': 'test',
    'content-type': 'application/json',
  };
  const begin = () => server().request('/api/v1/dashboard/two-step', { method: 'POST', headers, body: '{}' });

  t.is((await begin()).status, 200);
  await server().database.query("update dashboard_session set created_at = created_at - interval '11 minutes'");
  t.deepEqual(await errorIn(await begin()), [403, 'recent_sign_in_required']);
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

function colleague(person: Record<string, unknown> = {}): string {
  const who = newName();
  issuer.people.set(who, { email: `${who}@example.com`, email_verified: true, ...person });
  return who;
}

function newName(): string {
  people += 1;
  return `kim-${people}`;
}

async function userWithAddress(id: string, email: string): Promise<string> {
  const made = await addUser(server(), { id } as Parameters<typeof addUser>[1]);
  await server().database.query('update dashboard_user set email = $2 where email = $1', [made, email]);
  return email;
}

/** Runs the call, and counts users, identities and sessions before and after it. */
async function grantsNothing(
  t: ExecutionContext,
  problem: string | null,
  call: () => Promise<string>,
  { also = '', database = server().database } = {},
): Promise<void> {
  const count = `select (select count(*) from dashboard_user) as users, (select count(*) from oidc_identity) as identities,
    (select count(*) from dashboard_session) as sessions`;
  const before = await database.query(count);
  const location = await call();
  if (problem !== null) t.regex(location, new RegExp(`^/dashboard/sign-in\\?.*\\bproblem=${problem}\\b`));
  t.true(location.includes(also), location);
  t.deepEqual(await database.query(count), before);
}

function usersWith(email: string) {
  return server().database.query('select role, merchant_id, password_hash from dashboard_user where email = $1', [
    email,
  ]);
}

function identitiesOf(email: string) {
  const query = 'select i.subject from oidc_identity i join dashboard_user u on u.id = i.user_id where u.email = $1';
  return server().database.query(query, [email]);
}

async function actsOf(email: string) {
  const query = 'select action from audit_entry where user_email = $1 order by id';
  return (await server().database.query(query, [email])).map(({ action }) => action);
}

async function countMails(email: string) {
  const query = "select id from mail where recipient = $1 and kind = 'company_account_bound'";
  return (await server().database.query(query, [email])).length;
}
