import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { beginSession, type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);

const path = '/api/v1/dashboard/preferences';

const preferencesOf = async ({ call }: SignedIn) => (await call(path)).json();
const update = ({ call }: SignedIn, json: unknown) => call(path, { method: 'PATCH', json });

const nothingChosen = { name: null, theme: 'system', timeZone: null, language: null, mailsOff: [], views: [] };

const viewOf = (name: string, query = 'status=failed&minAmount=1000000') => ({ list: 'payments', name, query });

test('getPreferences 200 for a new user, who has chosen nothing', async (t) => {
  const ada = await signIn(server());

  const response = await ada.call(path);

  t.is(response.status, 200);
  t.deepEqual(await response.json(), nothingChosen);
});

test('updatePreferences 200 changes the named fields and keeps the others, in both modes and in each session', async (t) => {
  const ada = await signIn(server());
  const chosen = {
    name: 'Ada Obi',
    theme: 'dark',
    timeZone: 'Asia/Tokyo',
    language: 'de-DE',
    mailsOff: ['endpoint_well', 'api_key'],
    views: [viewOf('Large'), viewOf('غداً')],
  };

  const response = await update(ada, chosen);
  const changed = await update(ada, { theme: 'light' });

  t.is(response.status, 200);
  t.deepEqual(await response.json(), chosen);
  t.deepEqual(await changed.json(), { ...chosen, theme: 'light' });
  t.deepEqual(await (await ada.call(path, { mode: 'live' })).json(), { ...chosen, theme: 'light' });
  const other = await server().arrange('openSession', { email: ada.email });
  t.like(other.session.user, {
    name: 'Ada Obi',
    display: { theme: 'light', timeZone: 'Asia/Tokyo', language: 'de-DE' },
  });
});

test('updatePreferences 200 with null restores the choice of the browser', async (t) => {
  const ada = await signIn(server());
  await update(ada, { name: 'Ada', timeZone: 'America/Argentina/Buenos_Aires', language: 'ar-EG' });

  const response = await update(ada, { name: null, timeZone: null, language: null });

  t.deepEqual(await response.json(), nothingChosen);
});

test('updatePreferences 200 does not change the preferences of a colleague', async (t) => {
  const ada = await signIn(server());
  const { token } = await beginSession(server(), ada.merchant);

  await update(ada, { theme: 'dark' });

  const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };
  t.deepEqual(await (await server().request(path, { headers })).json(), nothingChosen);
});

test('updatePreferences 200 stores a kind of mail once', async (t) => {
  const response = await update(await signIn(server()), { mailsOff: ['dispute', 'dispute'] });

  t.deepEqual((await response.json()).mailsOff, ['dispute']);
});

test('updatePreferences 200 keeps the last of two views of one list with the same name, in the place of the first', async (t) => {
  const [first, second] = [viewOf('A', 'status=failed'), viewOf('B')];
  const views = [first, second, { ...first, list: 'transfers' }, { ...first, query: '' }];

  const response = await update(await signIn(server()), { views });

  t.deepEqual((await response.json()).views, [{ ...first, query: '' }, second, { ...first, list: 'transfers' }]);
});

for (const role of ['viewer', 'operator'] as const) {
  test(`updatePreferences 200 for the role ${role}`, async (t) => {
    t.is((await update(await signIn(server(), undefined, role), { theme: 'dark' })).status, 200);
  });
}

test('updatePreferences 200 before a required two-step sign-in is set up', async (t) => {
  const ada = await signIn(server());
  await server().database.query('update merchant set requires_two_step = true where id = $1', [ada.merchant.id]);

  t.is((await update(ada, { theme: 'dark' })).status, 200);
});

for (const timeZone of ['UTC', 'Africa/Lagos', 'Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+5']) {
  test(`updatePreferences 200 for the time zone ${timeZone}`, async (t) => {
    const response = await update(await signIn(server()), { timeZone });

    t.is((await response.json()).timeZone, timeZone);
  });
}

const refused: [situation: string, json: unknown, code: string, param: string | null][] = [
  ['the body has no field', {}, 'invalid_parameter', null],
  ['the time zone does not exist', { timeZone: 'Mars/Olympus' }, 'invalid_parameter', 'timeZone'],
  ['the time zone is an offset', { timeZone: '+09:00' }, 'invalid_parameter', 'timeZone'],
  ['the time zone is too long', { timeZone: 'A'.repeat(65) }, 'invalid_parameter', 'timeZone'],
  ['the theme does not exist', { theme: 'sepia' }, 'invalid_parameter', 'theme'],
  ['the theme is null', { theme: null }, 'invalid_parameter', 'theme'],
  ['the language is not offered', { language: 'en' }, 'invalid_parameter', 'language'],
  ['the name is blank', { name: '  ' }, 'invalid_parameter', 'name'],
  ['the name has two lines', { name: 'Ada\nObi' }, 'invalid_parameter', 'name'],
  ['the name turns the direction of text', { name: '\u202eibO adA' }, 'invalid_parameter', 'name'],
  ['a mail about security is switched off', { mailsOff: ['password_changed'] }, 'invalid_parameter', 'mailsOff'],
  ['the kinds of mail are no list', { mailsOff: 'dispute' }, 'invalid_parameter', 'mailsOff'],
  ['a view has no list', { views: [{ name: 'A', query: '' }] }, 'missing_parameter', 'views'],
  [
    'the name of a list has other characters',
    { views: [{ ...viewOf('A'), list: '../x' }] },
    'invalid_parameter',
    'views',
  ],
  ['the name of a view is blank', { views: [viewOf(' ')] }, 'invalid_parameter', 'views'],
  ['the name of a view has two lines', { views: [viewOf('A\nB')] }, 'invalid_parameter', 'views'],
  ['the name of a view is too long', { views: [viewOf('A'.repeat(41))] }, 'invalid_parameter', 'views'],
  ['the query of a view is too long', { views: [viewOf('A', 'a'.repeat(1001))] }, 'invalid_parameter', 'views'],
  ['the query of a view has a fragment', { views: [viewOf('A', 'a=b#c')] }, 'invalid_parameter', 'views'],
  [
    'there are 31 views',
    { views: Array.from({ length: 31 }, (_, at) => viewOf(`A${at}`)) },
    'invalid_parameter',
    'views',
  ],
  ['the body has a role', { role: 'operator' }, 'unknown_parameter', 'role'],
];

for (const [situation, json, code, param] of refused) {
  test(`updatePreferences 400 when ${situation}`, async (t) => {
    const ada = await sharedUser();

    const response = await update(ada, json);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code });
    t.deepEqual(await preferencesOf(ada), nothingChosen);
    if (param !== null) t.regex((await (await update(ada, json)).json()).error.param, new RegExp(`^${param}`));
  });
}

test('updatePreferences 400 has a message that says which time zones are valid', async (t) => {
  const response = await update(await sharedUser(), { timeZone: 'Mars/Olympus' });

  t.is((await response.json()).message, 'timeZone is not a time zone that this service knows, such as Africa/Lagos');
});
