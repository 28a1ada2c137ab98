import test from 'ava';
import { freePort } from '../support/network/free-port.ts';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import {
  add,
  addPasskey,
  begin,
  beginProof,
  beginSignIn,
  newAuthenticator,
  postAssertion,
  removePassword,
  signInWithPasskey,
} from '../support/users/passkeys.ts';
import {
  auditOf,
  cookieOf,
  errorIn,
  postSession,
  type SignedIn,
  signIn,
  signInWithTwoStep,
} from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const server = serverForFile();
const path = '/api/v1/dashboard/passkeys';

const passkeysOf = async ({ call }: SignedIn) => (await (await call(path)).json()).passkeys;
const remove = ({ call }: SignedIn, id: string) => call(`${path}/${id}`, { method: 'DELETE' });
const requireTwoStep = ({ merchant }: SignedIn) =>
  server().database.query('update merchant set requires_two_step = true where id = $1', [merchant.id]);

/** The next challenge that a test begins removes this one, so the tests that need it run serially. */
const expire = ({ challenge }: { challenge: string }) =>
  server().database.query('update passkey_challenge set expires_at = now() where challenge = $1', [challenge]);

test('beginPasskey 200 returns options that require user verification and exclude the user’s own passkeys', async (t) => {
  const ada = await signInWithPasskey(server());

  const response = await begin(ada);

  t.is(response.status, 200);
  const options = await response.json();
  t.like(options, {
    rp: { id: 'localhost', name: 'Tillhook' },
    user: { name: ada.email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: { 0: { id: ada.authenticator.id, transports: ['internal'] } },
  });
  t.is(Buffer.from(options.challenge, 'base64url').length, 32);
  t.false(JSON.stringify(options.user.id).includes(ada.email));
});

test('beginPasskey 400 without a password and without a passkey', async (t) => {
  const response = await begin(await signIn(server()), {});

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'missing_parameter', param: 'password' });
});

test('beginPasskey 401 for a wrong password, and without a code where two-step sign-in is on', async (t) => {
  const ada = await signInWithTwoStep(server());
  const { password } = ada;

  t.deepEqual(await errorIn(await begin(ada, { password: 'wrong' })), [401, 'invalid_credentials']);
  t.deepEqual(await errorIn(await begin(ada, { password })), [401, 'two_step_required']);
  t.is((await begin(ada, { password, code: codeOf(ada.secret) })).status, 200);
});

test('beginPasskey 409 for a user who has twenty passkeys', async (t) => {
  const ada = await signInWithPasskey(server());
  await server().database.query(
    `insert into passkey select gen_random_uuid(), user_id, credential_id || n, public_key, counter, transports, name, created_at
     from passkey, generate_series(2, 20) n where id = $1`,
    [ada.passkeyId],
  );

  t.deepEqual(await errorIn(await begin(ada)), [409, 'passkey_limit_reached']);
});

test('beginPasskey, beginPasskeyProof and beginPasskeySignIn 409 if the address of the service is an IP address', async (t) => {
  const port = String(await freePort());
  const other = await startServer(t, { ROLE: 'api', PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const ada = await signIn(other);
  const refused = [409, 'passkeys_unavailable'];

  t.deepEqual(await errorIn(await begin(ada)), refused);
  t.deepEqual(await errorIn(await ada.call('/api/v1/dashboard/passkey-proof', { method: 'POST' })), refused);
  t.deepEqual(
    await errorIn(await other.request('/api/v1/dashboard/passkey-sign-in/begin', { method: 'POST' })),
    refused,
  );
});

test('addPasskey 201 names the passkey after its password manager, and otherwise after the browser', async (t) => {
  const ada = await signIn(server());
  const known = newAuthenticator(server(), { aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d' });
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
  const names: string[] = [];
  for (const [authenticator, browser] of [
    [known, chrome],
    [newAuthenticator(server()), chrome],
    [newAuthenticator(server()), 'curl'],
  ] as const) {
    const json = authenticator.register(await (await begin(ada)).json());
    const response = await ada.call(path, { method: 'POST', json, headers: { 'user-agent': browser } });
    t.is(response.status, 201);
    names.push((await response.json()).name);
  }

  t.deepEqual(names, ['1Password', 'Chrome on Linux', 'Passkey']);
  t.is((await auditOf(ada)).filter(({ action, mode }) => action === 'addPasskey' && mode === null).length, 3);
  t.is((await passkeysOf(ada)).length, 3);
});

test('addPasskey 201 ignores what the manufacturer of the authenticator attests', async (t) => {
  const ada = await signIn(server());
  const options = await (await begin(ada)).json();

  t.is((await add(ada, newAuthenticator(server()).register(options, { attests: true }))).status, 201);
});

for (const [situation, deviations] of Object.entries({
  'another origin': { origin: 'http://localhost:1' },
  'another domain': { rpId: 'example.com' },
  'no user verification': { isVerified: false },
  'the data of a sign-in': { type: 'webauthn.get' },
})) {
  test(`addPasskey 400 for a passkey with ${situation}`, async (t) => {
    const ada = await signIn(server());
    const options = await (await begin(ada)).json();

    const response = await add(ada, newAuthenticator(server()).register(options, deviations));

    t.is(response.status, 400);
    t.like((await response.json()).error, { code: 'invalid_parameter', param: 'attestationObject' });
    t.deepEqual(await passkeysOf(ada), []);
  });
}

test('addPasskey 400 for an attestation that is no CBOR, and for a passkey that was added before', async (t) => {
  const ada = await signInWithPasskey(server());
  const grace = await signIn(server());
  const options = await (await begin(grace)).json();
  const registration = newAuthenticator(server()).register(options);

  t.deepEqual(await errorIn(await add(grace, { ...registration, attestationObject: 'AAAA' })), [
    400,
    'invalid_parameter',
  ]);
  const again = ada.authenticator.register(await (await begin(grace)).json());
  t.deepEqual(await errorIn(await add(grace, again)), [400, 'invalid_parameter']);
  t.deepEqual(await passkeysOf(grace), []);
});

test.serial(
  'addPasskey 409 for a challenge that was used, is five minutes old, is for a sign-in or a proof, or is another user’s',
  async (t) => {
    const [ada, grace] = [await signIn(server()), await signIn(server())];
    const { register } = newAuthenticator(server());
    const used = await (await begin(ada)).json();
    await add(ada, newAuthenticator(server()).register(used));
    const old = await (await begin(ada)).json();
    const graces = await (await begin(grace)).json();

    t.deepEqual(await errorIn(await add(ada, register(used))), [409, 'passkey_not_begun']);
    await expire(old);
    t.deepEqual(await errorIn(await add(ada, register(old))), [409, 'passkey_not_begun']);
    t.deepEqual(await errorIn(await add(ada, register(graces))), [409, 'passkey_not_begun']);
    for (const { challenge } of [await beginSignIn(server()), await beginProof(ada)]) {
      t.deepEqual(await errorIn(await add(ada, register({ ...used, challenge }))), [409, 'passkey_not_begun']);
    }
    t.is((await add(grace, register(graces))).status, 201);
  },
);

test('signInWithPasskey 200 begins a session without a password or a code, and records the use', async (t) => {
  const ada = await signInWithPasskey(server());
  await server().arrange('turnTwoStepOn', { email: ada.email });

  const response = await postAssertion(server(), ada.authenticator.sign(await beginSignIn(server())));

  t.is(response.status, 200);
  t.regex(response.headers.get('set-cookie') ?? '', /^tillhook_session=.*HttpOnly/);
  t.is((await response.json()).user.email, ada.email);
  const [passkey] = await passkeysOf(ada);
  t.truthy(passkey.lastUsedAt);
  t.is((await auditOf(ada))[0]?.action, 'signInWithPasskey');
});

test('signInWithPasskey 200 again and again with an authenticator that does not count', async (t) => {
  const ada = await addPasskey(await signIn(server()), newAuthenticator(server(), { counts: false }));
  const sign = async () => (await postAssertion(server(), ada.authenticator.sign(await beginSignIn(server())))).status;

  t.deepEqual([await sign(), await sign()], [200, 200]);
});

test('signInWithPasskey 400 for fields that are longer than the contract allows', async (t) => {
  const answer = { credentialId: 'a', clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' };

  for (const [field, length] of [
    ['credentialId', 1401],
    ['clientDataJSON', 4097],
    ['authenticatorData', 4097],
    ['signature', 4097],
  ] as const) {
    const response = await postAssertion(server(), { ...answer, [field]: 'a'.repeat(length) });
    t.is(response.status, 400);
    t.is((await response.json()).error.param, field);
  }
});

test('signInWithPasskey 401 with the same answer for an unknown passkey and for a wrong signature', async (t) => {
  const ada = await signInWithPasskey(server());
  const sign = async (authenticator = ada.authenticator) => authenticator.sign(await beginSignIn(server()));
  const other = newAuthenticator(server());

  const unknown = await postAssertion(server(), await sign(other));
  const wrong = await postAssertion(server(), { ...(await sign(other)), credentialId: ada.authenticator.id });

  const [{ requestId: _, ...first }, { requestId: __, ...second }] = [await unknown.json(), await wrong.json()];
  t.deepEqual([unknown.status, wrong.status], [401, 401]);
  t.deepEqual(first, second);
  t.is(first.error.code, 'invalid_credentials');
  t.is((await passkeysOf(ada))[0].lastUsedAt, null);
});

for (const [situation, deviations] of Object.entries({
  'of another origin': { origin: 'https://example.com' },
  'for another domain': { rpId: 'example.com' },
  'without user verification': { isVerified: false },
  'with the data of a registration': { type: 'webauthn.create' },
})) {
  test(`signInWithPasskey 401 for an answer ${situation}`, async (t) => {
    const { authenticator } = await signInWithPasskey(server());

    const answer = authenticator.sign(await beginSignIn(server()), deviations);

    t.deepEqual(await errorIn(await postAssertion(server(), answer)), [401, 'invalid_credentials']);
  });
}

test('signInWithPasskey 401 for the user id of another user', async (t) => {
  const { authenticator } = await signInWithPasskey(server());
  const answer = authenticator.sign(await beginSignIn(server()));

  t.deepEqual(await errorIn(await postAssertion(server(), { ...answer, userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' })), [
    401,
    'invalid_credentials',
  ]);
});

test('signInWithPasskey 401 for a passkey that was removed', async (t) => {
  const ada = await signInWithPasskey(server());
  await remove(ada, ada.passkeyId);

  const answer = ada.authenticator.sign(await beginSignIn(server()));

  t.deepEqual(await errorIn(await postAssertion(server(), answer)), [401, 'invalid_credentials']);
});

test('signInWithPasskey 401 once the counter went back, also for later counters, and the user’s other passkeys go on working', async (t) => {
  const ada = await signInWithPasskey(server());
  const sibling = await addPasskey(ada);
  const sign = async (counter: number, { authenticator } = ada) =>
    (await postAssertion(server(), authenticator.sign(await beginSignIn(server()), { counter }))).status;

  t.deepEqual([await sign(9), await sign(9), await sign(3), await sign(0), await sign(10)], [200, 401, 401, 401, 401]);
  t.is(await sign(5, sibling), 200);
  const passkeys = await passkeysOf(ada);
  const copied = passkeys.filter(({ copySeenAt }: { copySeenAt: string | null }) => copySeenAt !== null);
  t.deepEqual(
    copied.map(({ id }: { id: string }) => id),
    [ada.passkeyId],
  );
});

test('signInWithPasskey 401 for a wrong signature with a low counter, which marks no passkey as copied', async (t) => {
  const ada = await signInWithPasskey(server());
  const answer = newAuthenticator(server()).sign(await beginSignIn(server()), { counter: 0 });

  await postAssertion(server(), { ...answer, credentialId: ada.authenticator.id });

  t.is((await passkeysOf(ada))[0].copySeenAt, null);
});

test('signInWithPasskey 403 for a user of a suspended merchant', async (t) => {
  const ada = await signInWithPasskey(server());
  await server().database.query('update merchant set suspended_at = now() where id = $1', [ada.merchant.id]);

  const answer = ada.authenticator.sign(await beginSignIn(server()));

  t.deepEqual(await errorIn(await postAssertion(server(), answer)), [403, 'merchant_suspended']);
});

test.serial(
  'signInWithPasskey 409 for a challenge that was used, is five minutes old, or is for a proof',
  async (t) => {
    const ada = await signInWithPasskey(server());
    const { sign } = ada.authenticator;
    const used = await beginSignIn(server());
    await postAssertion(server(), { ...sign(used), signature: 'AAAA' });
    const old = await beginSignIn(server());

    t.deepEqual(await errorIn(await postAssertion(server(), sign(used))), [409, 'passkey_not_begun']);
    await expire(old);
    t.deepEqual(await errorIn(await postAssertion(server(), sign(old))), [409, 'passkey_not_begun']);
    t.deepEqual(await errorIn(await postAssertion(server(), sign(await beginProof(ada)))), [409, 'passkey_not_begun']);
    t.deepEqual(await errorIn(await postAssertion(server(), { ...sign(used), clientDataJSON: 'AAAA' })), [
      409,
      'passkey_not_begun',
    ]);
  },
);

test('signInWithPasskey: of two calls with one answer at the same moment, one begins a session', async (t) => {
  const { authenticator } = await signInWithPasskey(server());
  const answer = authenticator.sign(await beginSignIn(server()));

  const statuses = await Promise.all([postAssertion(server(), answer), postAssertion(server(), answer)]);

  t.deepEqual(statuses.map(({ status }) => status).sort(), [200, 409]);
});

test('beginPasskeySignIn 200 removes challenges whose time is over', async (t) => {
  const { challenge } = await beginSignIn(server());
  await expire({ challenge });

  await beginSignIn(server());

  t.deepEqual(await server().database.query('select from passkey_challenge where challenge = $1', [challenge]), []);
});

test('beginPasskeyProof 200 names the user’s own passkeys, and the answer stands for the password and the code', async (t) => {
  const ada = await signInWithPasskey(server());
  await server().arrange('turnTwoStepOn', { email: ada.email });
  await removePassword(ada);

  const options = await beginProof(ada);

  t.deepEqual(
    options.allowCredentials.map(({ id }: { id: string }) => id),
    [ada.authenticator.id],
  );
  t.is((await begin(ada, { passkey: ada.authenticator.sign(options) })).status, 200);
  const newPassword = 'a password that comes later';
  const passkey = ada.authenticator.sign(await beginProof(ada));
  const changed = await ada.call('/api/v1/dashboard/password', { method: 'POST', json: { passkey, newPassword } });
  t.is(changed.status, 200);
  t.is((await changed.json()).user.proof, 'password');
  t.deepEqual(await errorIn(await postSession(server(), { email: ada.email, password: newPassword })), [
    401,
    'two_step_required',
  ]);
});

test('a proof by passkey is refused with 401 if it was used, is for a sign-in, or is another user’s', async (t) => {
  const [ada, grace] = [await signInWithPasskey(server()), await signInWithPasskey(server())];
  const answer = ada.authenticator.sign(await beginProof(ada));
  await begin(ada, { passkey: answer });

  for (const passkey of [
    answer,
    ada.authenticator.sign(await beginSignIn(server())),
    grace.authenticator.sign(await beginProof(grace)),
    grace.authenticator.sign(await beginProof(ada)),
  ]) {
    t.deepEqual(await errorIn(await begin(ada, { passkey })), [401, 'invalid_credentials']);
  }
});

test('a user without a password cannot sign in by password, not even with an empty one', async (t) => {
  const ada = await signInWithPasskey(server());
  await removePassword(ada);

  for (const password of [ada.password, ' ', 'null']) {
    t.deepEqual(await errorIn(await postSession(server(), { email: ada.email, password })), [
      401,
      'invalid_credentials',
    ]);
  }
  t.deepEqual(await errorIn(await begin(ada)), [401, 'invalid_credentials']);
});

test('a merchant that requires two-step sign-in is content with a passkey, and no longer with the password beside it', async (t) => {
  const ada = await signInWithPasskey(server());
  const grace = await signIn(server(), ada.merchant);
  await requireTwoStep(ada);

  t.is((await ada.call('/api/v1/payments')).status, 200, 'the session in which the passkey was added');
  t.deepEqual(await errorIn(await grace.call('/api/v1/payments')), [403, 'two_step_setup_required']);
  const response = await postAssertion(server(), ada.authenticator.sign(await beginSignIn(server())));
  t.is((await response.json()).user.proof, 'passkey');
  const { email, password } = ada;
  t.deepEqual(await errorIn(await postSession(server(), { email, password })), [401, 'passkey_required']);
  t.deepEqual(await errorIn(await begin(ada)), [401, 'passkey_required']);
  t.is((await begin(ada, { passkey: ada.authenticator.sign(await beginProof(ada)) })).status, 200);
  await addPasskey(grace);
  t.is((await grace.call('/api/v1/payments')).status, 200);
});

test('renamePasskey 200 changes the name, and 404 for another user’s passkey', async (t) => {
  const [ada, grace] = [await signInWithPasskey(server()), await signIn(server())];
  const rename = ({ call }: SignedIn) =>
    call(`${path}/${ada.passkeyId}`, { method: 'PATCH', json: { name: 'My work laptop' } });

  t.is((await rename(grace)).status, 404);
  t.is((await (await rename(ada)).json()).name, 'My work laptop');
  t.is((await passkeysOf(ada))[0].name, 'My work laptop');
  t.like((await auditOf(ada))[0], { action: 'renamePasskey', subject: ada.passkeyId, mode: null });
});

test('removePasskey 200 ends the other sessions that the passkey opened, and the calling session stays one of a passkey', async (t) => {
  const ada = await signInWithPasskey(server());
  await addPasskey(ada);
  await removePassword(ada);
  const opened = await postAssertion(server(), ada.authenticator.sign(await beginSignIn(server())));
  const headers = { cookie: cookieOf(opened), 'x-service-mode': 'test' };

  t.is((await remove(ada, ada.passkeyId)).status, 200);

  t.deepEqual(await errorIn(await server().request('/api/v1/payments', { headers })), [401, 'invalid_session']);
  t.like(await (await ada.call('/api/v1/dashboard/session')).json(), { user: { proof: 'passkey' } });
});

test('removePasskey 200 removes the passkey and keeps the calling session, and 404 for another user’s passkey', async (t) => {
  const [ada, grace] = [await signInWithPasskey(server()), await signIn(server())];

  t.is((await remove(grace, ada.passkeyId)).status, 404);
  t.is((await remove(ada, ada.passkeyId)).status, 200);
  t.deepEqual(await passkeysOf(ada), []);
  t.like((await auditOf(ada))[0], { action: 'removePasskey', subject: ada.passkeyId, mode: null });
});

test('listPasskeys 200 lists only the passkeys of the caller, newest first', async (t) => {
  const ada = await signInWithPasskey(server());
  const second = await addPasskey(ada);
  await signInWithPasskey(server());

  const answer = await (await ada.call(path)).json();

  t.is(answer.total, 2);
  t.deepEqual(
    answer.passkeys.map(({ id }: { id: string }) => id),
    [second.passkeyId, ada.passkeyId],
  );
});
