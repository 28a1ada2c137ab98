import test from 'ava';
import { companyForFile } from '../support/oidc/company.ts';
import { startIssuer } from '../support/oidc/issuer.ts';
import { addUserWithAddress, firstPassword, listedMerchantId } from '../support/oidc/listed-merchant.ts';
import { Visitor } from '../support/oidc/visitor.ts';
import { startServer } from '../support/server/tillhook.ts';
import { errorIn, postSession } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const issuer = await startIssuer();
const { settings, server, newName, colleague, grantsNothing, usersWith, actsOf, boundMails } = companyForFile(issuer);

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
    t.deepEqual(await usersWith(email), [{ role: 'viewer', merchant_id: listedMerchantId, password_hash: null }]);
    t.deepEqual(await actsOf(email), ['createUser', 'signInWithCompany', 'signInWithCompany']);
    t.is((await boundMails(email)).length, 1, 'only the first sign-in is reported');
  },
);

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

test.serial(
  'OIDC_TRUST_EMAIL trusts an issuer that does not say whether an address is verified, but none that denies it',
  async (t) => {
    const trusting = await startServer(t, {
      ...settings,
      DATABASE_URL: server().database.url,
      OIDC_TRUST_EMAIL: 'true',
    });
    issuer.serve(trusting.url);
    for (const denial of [false, 'false', null]) {
      const who = colleague({ email_verified: denial });
      await grantsNothing(t, 'unverified', () => new Visitor().signIn(trusting, who));
    }
    t.is(await new Visitor().signIn(trusting, colleague({ email_verified: undefined })), '/dashboard/test/payments');
  },
);

test.serial('a verified address opens an existing user only where its domain is listed', async (t) => {
  const listed = await addUserWithAddress(server(), `${newName()}@example.com`);
  const foreign = await addUserWithAddress(server(), `${newName()}@elsewhere.example`);

  const written = listed.toUpperCase().replace('EXAMPLE', 'ＥＸＡＭＰＬＥ');
  t.is(await new Visitor().signIn(server(), colleague({ email: written })), '/dashboard/test/payments');
  await grantsNothing(t, 'not_listed', () => new Visitor().signIn(server(), colleague({ email: foreign })));
  await grantsNothing(t, 'taken', () => new Visitor().signIn(server(), colleague({ email: listed })));
  const lookAlike = listed.replace('k', '\u212a');
  t.not(lookAlike, listed);
  t.is(await new Visitor().signIn(server(), colleague({ email: lookAlike })), '/dashboard/test/payments');
  t.is((await usersWith(listed)).length, 1);
  t.is((await identitiesOf(listed)).length, 1, 'the company account with the similar address has another user');
});

test.serial(
  'a verified address opens no user of another merchant than that of its domain, except an operator',
  async (t) => {
    const { id: inviter } = await server().createMerchant('Ada’s Books');
    const email = await addUserWithAddress(server(), `${newName()}@example.com`, inviter);
    const who = colleague({ email });

    await grantsNothing(t, 'not_listed', () => new Visitor().signIn(server(), who));

    await server().database.query("update dashboard_user set role = 'operator' where email = $1", [email]);
    t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments');
  },
);

test.serial('the first company sign-in ends a password and sessions that another person may have', async (t) => {
  const email = await addUserWithAddress(server(), `${newName()}@example.com`);
  const who = colleague({ email });
  const isSignedIn = async () => (await postSession(server(), { email, password: firstPassword })).status === 200;
  const countSessions = async () =>
    (
      await server().database.query(
        'select from dashboard_session s join dashboard_user u on u.id = user_id where email = $1',
        [email],
      )
    ).length;
  t.true(await isSignedIn());

  await new Visitor().signIn(server(), who);

  t.false(await isSignedIn());
  t.is(await countSessions(), 1);
  t.regex((await boundMails(email))[0] ?? '', /"Ended":"The password and all earlier sessions"/);
  await new Visitor().signIn(server(), who);
  t.is(await countSessions(), 2, 'a later sign-in ends nothing');
});

test.serial('the first company sign-in keeps the password of a person who is signed in to the same user', async (t) => {
  const isKept = async (email: string) => (await usersWith(email))[0]?.password_hash !== null;
  const [own, other, foreign] = await Promise.all(
    [newName(), newName(), newName()].map((name) => addUserWithAddress(server(), `${name}@example.com`)),
  );
  if (!own || !other || !foreign) throw new Error('There are three users.');
  const withSessionOf = async (email: string) => {
    const visitor = new Visitor();
    const { token } = await server().arrange('openSession', { email });
    visitor.addCookie(server().url, 'tillhook_session', token);
    return visitor;
  };

  await (await withSessionOf(own)).signIn(server(), colleague({ email: own }));
  await (await withSessionOf(foreign)).signIn(server(), colleague({ email: other }));

  t.true(await isKept(own));
  t.notRegex((await boundMails(own))[0] ?? '', /Ended/);
  t.false(await isKept(other), 'the session of another user proves nothing');
  t.true(await isKept(foreign));
});

test.serial('the first company sign-in to a user with a passkey needs a session that the passkey opened', async (t) => {
  const email = await addUserWithAddress(server(), `${newName()}@example.com`);
  const who = colleague({ email });
  const { token } = await server().arrange('openSession', { email });
  const [passkey] = await server().database.query(
    `insert into passkey (id, user_id, credential_id, public_key, counter, transports, name, created_at)
      select gen_random_uuid(), id, md5(email), '', 0, '{}', 'Phone', now() from dashboard_user where email = $1 returning id`,
    [email],
  );
  const visitor = new Visitor();
  visitor.addCookie(server().url, 'tillhook_session', token);
  issuer.answers = { claims: (claims) => ({ ...claims, amr: ['mfa'] }) };

  await grantsNothing(t, 'passkey_first', () => new Visitor().signIn(server(), who));
  await grantsNothing(t, 'passkey_first', () => visitor.signIn(server(), who));

  const opened =
    'update dashboard_session set passkey_id = $1 from dashboard_user u where u.id = user_id and email = $2';
  await server().database.query(opened, [passkey?.id, email]);
  t.is(await visitor.signIn(server(), who), '/dashboard/test/payments');
  t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments', 'the account is bound');
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
    t.like(await usersWith(issuer.people.get(newcomer)?.email ?? ''), [
      { role: 'viewer', merchant_id: listedMerchantId },
    ]);
  },
);

test.serial('a merchant with as many users as are allowed gets no more by its domain', async (t) => {
  const fill = `insert into dashboard_user (id, merchant_id, email, role, created_at)
    select gen_random_uuid(), $1, n || '@full.example', 'viewer', now() from generate_series(1, 500) n`;
  await server().database.query(fill, [listedMerchantId]);
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
  const who = colleague({ email: await addUserWithAddress(server(), `${newName()}@example.com`) });
  const suspend = (at: string) =>
    server().database.query(`update merchant set suspended_at = ${at} where id = $1`, [listedMerchantId]);
  await suspend('now()');
  await grantsNothing(t, 'suspended', () => new Visitor().signIn(server(), who));

  await suspend('null');
  t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments');
  await suspend('now()');
  await grantsNothing(t, 'suspended', () => new Visitor().signIn(server(), who));
  await suspend('null');
});

test.serial(
  'a user with two-step sign-in types a code, unless the issuer says that it asked for two factors',
  async (t) => {
    const email = await addUserWithAddress(server(), `${newName()}@example.com`);
    const { secret, recoveryCodes } = await server().arrange('turnTwoStepOn', { email });
    const who = colleague({ email });
    const visitor = new Visitor();
    issuer.answers = { claims: (claims) => ({ ...claims, amr: ['pwd', 'mfa'] }) };
    const post = (code: string) => visitor.ask(`${server().url}/dashboard/oidc/code`, { code });
    const leadsTo = async (answer: Promise<Response>) => (await answer).headers.get('location');

    await grantsNothing(t, null, () => visitor.signIn(server(), who), { also: 'step=code' });
    await grantsNothing(t, 'wrong_code', async () => (await leadsTo(post('000000'))) ?? '', { also: 'step=code' });
    t.is(await leadsTo(post(codeOf(secret))), '/dashboard/test/payments');
    t.not((await usersWith(email))[0]?.password_hash, null, 'the code belongs to the person');
    t.regex((await leadsTo(post(recoveryCodes[0] ?? ''))) ?? '', /problem=again/);

    t.is(await new Visitor().signIn(server(), who), '/dashboard/test/payments', 'the company asked for two factors');
    issuer.answers = { claims: (claims) => ({ ...claims, amr: ['pwd'] }) };
    await grantsNothing(t, null, () => new Visitor().signIn(server(), who), { also: 'step=code' });
  },
);

test.serial('a merchant that requires two-step sign-in is content with two factors at the company', async (t) => {
  const requireTwoStep = (isRequired: boolean) =>
    server().database.query('update merchant set requires_two_step = $2 where id = $1', [listedMerchantId, isRequired]);
  await requireTwoStep(true);
  const who = colleague({ email: await addUserWithAddress(server(), `${newName()}@example.com`) });
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
  await requireTwoStep(false);
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

function identitiesOf(email: string) {
  const query = 'select i.subject from oidc_identity i join dashboard_user u on u.id = i.user_id where u.email = $1';
  return server().database.query(query, [email]);
}
