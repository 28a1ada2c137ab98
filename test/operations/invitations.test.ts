import test from 'ava';
import { serverForFile, startServer, type TestMerchant } from '../support/server/tillhook.ts';
import { errorIn, postSession, signIn } from '../support/users/session.ts';
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

const read = (token: string) => postInvitation(server(), 'read', { token });
const accept = (token: string) => acceptInvitation(server(), token);

test('acceptInvitation 201 makes a user with the role and the name, signed in, and the password signs in again', async (t) => {
  const merchant = await server().createMerchant('Ada’s Books');
  const email = newEmail();
  const { token, link } = await invite(server(), merchant, { email, role: 'support' });
  t.true(link.startsWith(`${server().url}/dashboard/invitation?token=`));

  const offered = await read(token);
  t.like(await offered.json(), { merchantName: 'Ada’s Books', email, role: 'support' });
  const accepted = await accept(token);

  t.is(accepted.status, 201);
  const [cookie = ''] = accepted.headers.getSetCookie();
  t.regex(cookie, /^tillhook_session=.+HttpOnly; SameSite=Lax$/);
  t.like(await accepted.json(), { user: { email, role: 'support' }, merchant: { id: merchant.id } });
  const again = await postSession(server(), { email: email.toUpperCase(), password: chosenPassword });
  t.is(again.status, 200);
  const { members, invitations } = await teamOf(await signIn(server(), merchant));
  t.like(
    members.find((one: { email: string }) => one.email === email),
    { name: 'Grace Eze', role: 'support' },
  );
  t.deepEqual(invitations, []);
});

test('an invitation that is accepted twice at the same moment makes one user', async (t) => {
  const { token, email } = await invite(server(), await server().createMerchant());

  const answers = await Promise.all([accept(token), accept(token), accept(token)]);

  const codes = await Promise.all(answers.map(async (answer) => (await answer.json()).error?.code ?? answer.status));
  t.deepEqual(codes.sort(), [201, 'invitation_over', 'invitation_over']);
  const made = await server().database.query('select name from dashboard_user where email = $1', [email]);
  t.deepEqual(made, [{ name: 'Grace Eze' }]);
  t.deepEqual(await errorIn(await read(token)), [409, 'invitation_over']);
});

test('acceptInvitation 409 when the address has a user of another merchant, and nothing is changed; the invitation itself is made as any other', async (t) => {
  const other = await signIn(server(), undefined, 'viewer');
  const { token, id } = await invite(server(), await server().createMerchant(), { email: other.email.toUpperCase() });

  const response = await accept(token);

  const { message, error } = await response.json();
  t.deepEqual([response.status, error.code], [409, 'email_in_use']);
  t.regex(message, /already has an account, and an account belongs to one merchant/);
  t.like(await (await other.call('/api/v1/dashboard/session')).json(), { user: { role: 'viewer' } });
  t.deepEqual(await server().database.query('select accepted_at from invitation where id = $1', [id]), [
    { accepted_at: null },
  ]);
});

const endings: [
  how: string,
  sentence: RegExp,
  end: (invited: { id: string }, merchant: TestMerchant) => Promise<unknown>,
][] = [
  [
    'has expired',
    /has expired/,
    ({ id }) =>
      server().database.query("update invitation set expires_at = now() - interval '1 s' where id = $1", [id]),
  ],
  [
    'was revoked',
    /was revoked/,
    async ({ id }, merchant) =>
      (await signIn(server(), merchant)).call(`${path}-invitations/${id}`, { method: 'DELETE' }),
  ],
];

for (const [how, sentence, end] of endings) {
  test(`readInvitation and acceptInvitation 409 when the invitation ${how}`, async (t) => {
    const merchant = await server().createMerchant();
    const invited = await invite(server(), merchant);
    await end(invited, merchant);

    for (const response of [await read(invited.token), await accept(invited.token)]) {
      const { message, error } = await response.json();
      t.deepEqual([response.status, error.code], [409, 'invitation_over']);
      t.regex(message, sentence);
    }
  });
}

test('resendInvitation 200 makes a new link that works, and the earlier link is unknown from then on', async (t) => {
  const merchant = await server().createMerchant();
  const { call } = await signIn(server(), merchant);
  const { id, token } = await invite(server(), merchant);
  await server().database.query("update invitation set expires_at = now() - interval '1 s' where id = $1", [id]);

  const resent = await call(`${path}-invitations/${id}/resend`, { method: 'POST' });

  const renewed = await withToken(server(), await resent.json());
  t.is(renewed.id, id);
  for (const response of [await read(token), await accept(token)]) {
    t.deepEqual(await errorIn(response), [404, 'resource_not_found']);
  }
  t.is((await accept(renewed.token)).status, 201);
});

test('revokeInvitation and resendInvitation 409 for an invitation that was revoked', async (t) => {
  const merchant = await server().createMerchant();
  const { call } = await signIn(server(), merchant);
  const { id } = await invite(server(), merchant);
  const revoke = () => call(`${path}-invitations/${id}`, { method: 'DELETE' });

  t.is((await revoke()).status, 200);
  t.deepEqual(await errorIn(await revoke()), [409, 'invitation_over']);
  const resent = await call(`${path}-invitations/${id}/resend`, { method: 'POST' });
  t.deepEqual(await errorIn(resent), [409, 'invitation_over']);
});

test('inviteMember 201 for an address with an open invitation replaces the earlier invitation', async (t) => {
  const merchant = await server().createMerchant();
  const first = await invite(server(), merchant, { role: 'administrator' });

  const second = await invite(server(), merchant, { email: first.email.toUpperCase(), role: 'viewer' });

  t.deepEqual(await errorIn(await accept(first.token)), [404, 'resource_not_found']);
  t.like(await (await read(second.token)).json(), { role: 'viewer' });
  const { invitations } = await teamOf(await signIn(server(), merchant));
  t.is(invitations.length, 1);
});
test('readInvitation and acceptInvitation 403 while the merchant is suspended, and the invitation works afterwards', async (t) => {
  const merchant = await server().createMerchant();
  const { token } = await invite(server(), merchant);
  const suspend = (at: string) =>
    server().database.query(`update merchant set suspended_at = ${at} where id = $1`, [merchant.id]);
  await suspend('now()');

  t.deepEqual(await errorIn(await read(token)), [403, 'merchant_suspended']);
  t.deepEqual(await errorIn(await accept(token)), [403, 'merchant_suspended']);
  await suspend('null');
  t.is((await accept(token)).status, 201);
});

test('readInvitation, acceptInvitation and beginInvitationPasskey 429 after too many tokens from one network', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'invitation_token:2/100' });
  const guess = { token: 'guess' };
  const readGuess = () => postInvitation(limited, 'read', guess);
  const acceptGuess = () => acceptInvitation(limited, guess.token);

  t.is((await readGuess()).status, 404);
  t.is((await acceptGuess()).status, 404);
  for (const response of [await readGuess(), await acceptGuess(), await postInvitation(limited, 'passkey', guess)]) {
    t.deepEqual(await errorIn(response), [429, 'rate_limited']);
  }
});

test('no row of the database has the token of an invitation', async (t) => {
  const { token } = await invite(server(), await server().createMerchant());
  const rows = await server().database.query<{ row: string }>(
    'select invitation::text as row from invitation union all select audit_entry::text from audit_entry',
  );

  t.true(rows.length > 0);
  t.false(rows.some(({ row }) => row.includes(token)));
});
