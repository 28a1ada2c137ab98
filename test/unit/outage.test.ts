import { isDatabaseAway, isLostToAnother } from '@tillhook/server/src/database/outage.ts';
import test from 'ava';

const failure = (code: string, message = 'It failed.') => Object.assign(new Error(message), { code });

const away: [what: string, error: unknown][] = [
  ['nobody listens', failure('ECONNREFUSED')],
  ['it shuts down', failure('57P01')],
  ['it has no connection left', failure('53300')],
  ['a primary has become a standby', failure('25006')],
  ['the driver lost its connection', new Error('Connection terminated unexpectedly')],
  ['the ORM wraps it', Object.assign(new Error('wrapped'), { previous: failure('57P01') })],
];

for (const [what, error] of away) {
  test(`the database is away when ${what}`, (t) => {
    t.true(isDatabaseAway(error));
    t.false(isLostToAnother(error));
  });
}

for (const [what, code] of [
  ['a cancelled statement', '57014'],
  ['a violated constraint', '23505'],
  ['a deadlock', '40P01'],
] as const) {
  test(`the database is not away after ${what}`, (t) => {
    t.false(isDatabaseAway(failure(code)));
    t.is(isLostToAnother(failure(code)), code === '40P01');
  });
}

test('what is no error is no outage', (t) => {
  for (const nothing of [undefined, null, 'text']) {
    t.false(isDatabaseAway(nothing));
    t.false(isLostToAnother(nothing));
  }
});
