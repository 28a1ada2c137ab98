import { randomUUID } from 'node:crypto';
import test from 'ava';
import { serverForFile, startServer, wholePool } from '../support/server/tillhook.ts';
import { errorIn, postSession, type SignedIn, signIn } from '../support/users/session.ts';
import {
  acceptInvitation,
  chosenPassword,
  invite,
  newEmail,
  postInvitation,
  teamOf,
  withToken,
} from '../support/users/team.ts';

const server = serverForFile();
const path = '/api/v1/dashboard/team';

const accept = (token: string) => acceptInvitation(server(), token);
const setRole = ({ call }: SignedIn, id: string, role: string) =>
  call(`${path}/${id}`, { method: 'PATCH', json: { role } });
const remove = ({ call }: SignedIn, id: string) => call(`${path}/${id}`, { method: 'DELETE' });
const idOf = ({ session }: SignedIn) => session.user.id;

test('listTeam 200 lists the users of the merchant, the oldest first, and the open invitations', async (t) => {
  const merchant = await server().createMerchant();
  const ada = await signIn(server(), merchant);
  const sam = await signIn(server(), merchant, 'support');
  await signIn(server(), merchant, 'operator');
  await signIn(server(), undefined, 'viewer');
  const { link, token, ...invited } = await invite(server(), merchant, { role: 'viewer' });

  const { members, invitations } = await teamOf(sam);

  t.deepEqual(members.map(({ email, role, isYou }: Record<string, unknown>) => [email, role, isYou]).slice(0, 2), [
    [ada.email, 'administrator', false],
    [sam.email, 'support', true],
  ]);
  t.like(members[0], { name: null, hasTwoStep: false });
  t.true(Date.now() - Date.parse(members[0].lastSeenAt) < 60_000);
  t.deepEqual(invitations, [invited]);
  t.is(Date.parse(invited.expiresAt) - Date.parse(invited.createdAt), 7 * 86_400_000);
  // Two administrators: the second one invited.
  t.deepEqual(members.map(({ role }: { role: string }) => role).sort(), ['administrator', 'administrator', 'support']);
});

test('listTeam 200 shows when a user was last seen even after the user signed out', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, sam] = [await signIn(server(), merchant), await signIn(server(), merchant, 'support')];
  await sam.call('/api/v1/dashboard/session', { method: 'DELETE' });

  const { members } = await teamOf(ada);

  t.true(Date.now() - Date.parse(members[1].lastSeenAt) < 60_000);
});

test('inviteMember 409 for the address of a user of the merchant', async (t) => {
  const ada = await signIn(server());

  const response = await ada.call(`${path}-invitations`, {
    method: 'POST',
    json: { email: ada.email, role: 'viewer' },
  });

  t.deepEqual(await errorIn(response), [409, 'email_in_use']);
});

test('a mailbox has one user, however its domain is written, and the user signs in with each form', async (t) => {
  const merchant = await server().createMerchant();
  const name = `ada-${randomUUID()}`;
  const forms = ['ｍünchen.example', 'MÜNCHEN.example', 'xn--mnchen-3ya.example'].map((domain) => `${name}@${domain}`);
  const [fullWidth = '', , ascii = ''] = forms;
  const { token, email } = await invite(server(), merchant, { email: fullWidth });
  t.is(email, `${name}@münchen.example`);
  const again = await invite(server(), merchant, { email: ascii });
  t.is((await teamOf(await signIn(server(), merchant))).invitations.length, 1, 'the invitation is replaced');
  t.is((await accept(token)).status, 404);
  t.is((await accept(again.token)).status, 201);

  for (const written of forms) {
    t.is((await postSession(server(), { email: written, password: chosenPassword })).status, 200, written);
    const { call } = await signIn(server(), merchant);
    const json = { email: written, role: 'viewer' };
    t.is((await call(`${path}-invitations`, { method: 'POST', json })).status, 409, written);
    const elsewhere = await invite(server(), await server().createMerchant(), { email: written });
    t.deepEqual(await errorIn(await accept(elsewhere.token)), [409, 'email_in_use'], written);
  }
  await server().database.query('update dashboard_user set email = $1 where email = $2', [ascii, email]);
  t.is((await postSession(server(), { email: fullWidth, password: chosenPassword })).status, 200, 'as it was stored');
});

for (const email of ['ada', `${'a'.repeat(290)}@example.com`, 'ada@example.com\nbcc: eve@example.com', '']) {
  test(`inviteMember 400 for the address ${JSON.stringify(email.slice(0, 40))}`, async (t) => {
    const { call } = await signIn(server());

    const response = await call(`${path}-invitations`, { method: 'POST', json: { email, role: 'viewer' } });

    t.is(response.status, 400);
    t.is((await response.json()).error.param, 'email');
  });
}

for (const name of ['', ' ', 'Grace\nEze', 'Grace \u202eEze', 'a'.repeat(121)]) {
  test(`acceptInvitation 400 for the name ${JSON.stringify(name.slice(0, 40))}`, async (t) => {
    const response = await postInvitation(server(), 'accept', { token: 'unknown', name, password: chosenPassword });

    t.is(response.status, 400);
    t.is((await response.json()).error.param, 'name');
  });
}

for (const role of ['operator', 'merchant', 'owner']) {
  test(`inviteMember and updateMember 400 for the role ${role}`, async (t) => {
    const ada = await signIn(server());

    const invited = await ada.call(`${path}-invitations`, { method: 'POST', json: { email: newEmail(), role } });

    for (const response of [invited, await setRole(ada, idOf(ada), role)]) {
      t.is(response.status, 400);
      t.is((await response.json()).error.param, 'role');
    }
  });
}

test('updateMember 200 changes the role at once, also in sessions that are open', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, sam] = [await signIn(server(), merchant), await signIn(server(), merchant, 'administrator')];

  const response = await setRole(ada, idOf(sam), 'viewer');

  t.like(await response.json(), { email: sam.email, role: 'viewer', isYou: false });
  const renamed = await sam.call('/api/v1/dashboard/settings', { method: 'PATCH', json: { name: 'Mine' } });
  t.deepEqual(await errorIn(renamed), [403, 'role_not_allowed']);
});

test('removeMember 200 ends the sessions of the user at once, and the user cannot sign in again', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, sam] = [await signIn(server(), merchant), await signIn(server(), merchant, 'support')];

  const response = await remove(ada, idOf(sam));

  t.like(await response.json(), { email: sam.email, role: 'support' });
  t.deepEqual(await errorIn(await sam.call('/api/v1/payments')), [401, 'invalid_session']);
  t.deepEqual(await errorIn(await postSession(server(), { email: sam.email, password: sam.password })), [
    401,
    'invalid_credentials',
  ]);
  t.deepEqual(await errorIn(await remove(ada, idOf(sam))), [404, 'resource_not_found']);
});

test('inviteMember 400 for the address of the demo merchant, whose checkouts need no key', async (t) => {
  const { call } = await signIn(server());
  const json = { email: 'Demo@example.com', role: 'viewer' };

  const response = await call(`${path}-invitations`, { method: 'POST', json });

  t.deepEqual(await errorIn(response), [400, 'invalid_parameter']);
});

test('the open invitations of an administrator who is demoted or removed are revoked', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, zoe, sam] = [
    await signIn(server(), merchant),
    await signIn(server(), merchant),
    await signIn(server(), merchant),
  ];
  const tokenFrom = async ({ call }: SignedIn) => {
    const json = { email: newEmail(), role: 'administrator' };
    const invited = await (await call(`${path}-invitations`, { method: 'POST', json })).json();
    return (await withToken(server(), invited)).token;
  };
  const [ofAda, ofZoe, ofSam] = [await tokenFrom(ada), await tokenFrom(zoe), await tokenFrom(sam)];
  const { id } = await invite(server(), merchant);
  const resent = await zoe.call(`${path}-invitations/${id}/resend`, { method: 'POST' });
  const { token: resentByZoe } = await withToken(server(), await resent.json());

  await setRole(ada, idOf(zoe), 'viewer');
  await remove(ada, idOf(sam));

  t.deepEqual(await errorIn(await accept(ofZoe)), [409, 'invitation_over']);
  t.deepEqual(await errorIn(await accept(resentByZoe)), [409, 'invitation_over'], 'Zoe may know the link');
  t.deepEqual(await errorIn(await accept(ofSam)), [409, 'invitation_over']);
  t.is((await accept(ofAda)).status, 201);
});

test('updateMember and removeMember 409 for the last administrator, also when an earlier version stored the role merchant', async (t) => {
  const merchant = await server().createMerchant();
  const ada = await signIn(server(), merchant);
  await signIn(server(), merchant, 'viewer');

  for (const stored of ['administrator', 'merchant']) {
    await server().database.query('update dashboard_user set role = $2 where id = $1', [idOf(ada), stored]);
    t.deepEqual(await errorIn(await setRole(ada, idOf(ada), 'viewer')), [409, 'last_administrator']);
    t.deepEqual(await errorIn(await remove(ada, idOf(ada))), [409, 'last_administrator']);
    t.is((await setRole(ada, idOf(ada), 'administrator')).status, 200);
  }
});

test('two administrators who demote or remove each other at the same moment leave one administrator', async (t) => {
  for (const [first, second] of [
    ['demote', 'demote'],
    ['remove', 'remove'],
    ['demote', 'remove'],
  ]) {
    const merchant = await server().createMerchant();
    const [ada, sam] = [await signIn(server(), merchant), await signIn(server(), merchant)];
    const act = (how: string | undefined, by: SignedIn, of: SignedIn) =>
      how === 'demote' ? setRole(by, idOf(of), 'viewer') : remove(by, idOf(of));

    await Promise.all([act(first, ada, sam), act(second, sam, ada)]);

    const left = await server().database.query(
      "select role from dashboard_user where merchant_id = $1 and role = 'administrator'",
      [merchant.id],
    );
    t.is(left.length, 1, `${first} ${second}`);
  }
});

test('of administrators who all give up the role or leave at the same moment, one stays', async (t) => {
  const crowded = await startServer(t, wholePool);
  for (let round = 0; round < 3; round += 1) {
    const merchant = await crowded.createMerchant();
    const all = await Promise.all(Array.from({ length: 6 }, () => signIn(crowded, merchant)));

    const answers = await Promise.all(
      all.map((one, index) => (index % 2 ? remove(one, idOf(one)) : setRole(one, idOf(one), 'viewer'))),
    );

    t.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 409]);
  }
});

test('an administrator who is demoted or removed while the call runs changes nothing', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const merchant = await server().createMerchant();
    const [ada, sam, zoe] = [
      await signIn(server(), merchant),
      await signIn(server(), merchant),
      await signIn(server(), merchant),
    ];

    const answers = await Promise.all([setRole(ada, idOf(sam), 'viewer'), setRole(sam, idOf(ada), 'viewer')]);

    t.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
    const { members } = await teamOf(zoe);
    t.is(members.filter(({ role }: { role: string }) => role === 'administrator').length, 2);
  }
});

test('404 for a user, an operator or an invitation that does not belong to the merchant', async (t) => {
  const merchant = await server().createMerchant();
  const ada = await signIn(server(), merchant);
  const [stranger, operator] = [await signIn(server()), await signIn(server(), merchant, 'operator')];
  const { id } = await invite(server(), await server().createMerchant());

  for (const response of [
    await setRole(ada, idOf(stranger), 'viewer'),
    await remove(ada, idOf(stranger)),
    await setRole(ada, idOf(operator), 'viewer'),
    await remove(ada, idOf(operator)),
    await ada.call(`${path}-invitations/${id}`, { method: 'DELETE' }),
    await ada.call(`${path}-invitations/${id}/resend`, { method: 'POST' }),
  ]) {
    t.deepEqual(await errorIn(response), [404, 'resource_not_found']);
  }
});

test('an operator manages the team of the merchant that the header names, and the merchant does not see the operator’s address', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, sam] = [await signIn(server(), merchant), await signIn(server(), merchant, 'support')];
  const operator = await signIn(server(), undefined, 'operator');
  const headers = { 'x-service-merchant': merchant.id };

  const invited = await operator.call(`${path}-invitations`, {
    method: 'POST',
    headers,
    json: { email: newEmail(), role: 'administrator' },
  });
  const removed = await operator.call(`${path}/${idOf(sam)}`, { method: 'DELETE', headers });

  t.is(invited.status, 201);
  t.is(removed.status, 200);
  const { members, invitations } = await teamOf(ada);
  t.deepEqual([members.length, invitations[0].invitedBy], [1, null]);
});

test('inviteMember and resendInvitation 429 after the invitations of a day, counted by merchant', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'invitation:2/86400' });
  const [ada, other] = [await signIn(limited), await signIn(limited)];
  const inviteBy = ({ call }: SignedIn) =>
    call(`${path}-invitations`, { method: 'POST', json: { email: newEmail(), role: 'viewer' } });

  const { id } = await (await inviteBy(ada)).json();
  t.is((await ada.call(`${path}-invitations/${id}/resend`, { method: 'POST' })).status, 200);

  t.deepEqual(await errorIn(await inviteBy(ada)), [429, 'rate_limited']);
  t.is((await inviteBy(other)).status, 201);
});

test('inviteMember 409 when the merchant has 500 users and open invitations', async (t) => {
  const ada = await signIn(server());
  await server().database.query(
    `insert into invitation (id, merchant_id, email, role, token_hash, created_at, expires_at)
     select gen_random_uuid(), $1, 'user-' || number || '@example.com', 'viewer', sha256(gen_random_uuid()::text::bytea), now(), now() + interval '1 day'
     from generate_series(1, 499) as number`,
    [ada.merchant.id],
  );

  const response = await ada.call(`${path}-invitations`, {
    method: 'POST',
    json: { email: newEmail(), role: 'viewer' },
  });

  t.deepEqual(await errorIn(response), [409, 'team_limit_reached']);
});
