import test from 'ava';
import { runTillhook, spawnCommand } from '../support/server/command.ts';

/** An unreachable database, because bad arguments must be reported before a connection is tried. */
const nowhere = { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' };
const id = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

const refused: [args: string, complaint: RegExp][] = [
  ['', /Commands:/],
  ['keys create', /required option '--mode <mode>' not specified/],
  ['keys create --mode real', /Allowed choices are test, live\./],
  ['keys create --mode test --scopes all', /Allowed choices are checkout:write, payments:read, .*products:write/],
  ['keys create --mode test --scopes=', /Allowed choices are checkout:write/],
  ['keys create --mode test --merchant Ada', /It is an id such as/],
  [`keys roll ${id} --overlap 2h`, /Allowed choices are 0, 1h, 24h, 7d\./],
  ['keys revoke', /missing required argument 'key'/],
  ['keys burn', /unknown command 'burn'/],
  ['merchants create --name Ada --currency XYZ', /It is a code of ISO 4217/],
  [`merchants create --currency NGN --name ${'a'.repeat(121)}`, /It is one line of at most 120 characters\./],
  ['merchants suspend Ada', /It is an id such as/],
  [`merchants set-fee ${id}`, /required option '--amount <amount>' not specified/],
  [`merchants set-fee ${id} --amount 1000000000000`, /It is a whole number from 0 to 999999999999\./],
  [`merchants set-fee ${id} --amount=-1`, /It is a whole number/],
  ['transfers list --status open', /Allowed choices are pending, processing, completed, failed, reversed\./],
  ['transfers settle payout-77', /It is an id such as/],
  [`transfers fail ${id}`, /required option '--reason <reason>' not specified/],
  [`transfers fail ${id} --reason Closed --code=Closed!`, /It is a code such as account_closed\./],
  [`transfers reverse ${id} --reason=`, /It is one line of at most 200 characters\./],
  ['users create --email ada', /It must be an email address, such as/],
  ['deliveries replay --mode test --since 9999999y', /It is a length of time of at most 10 years, such as 90s/],
  ['deliveries replay --mode test --since 11y', /It is a length of time of at most 10 years/],
  ['deliveries replay --mode test --since 2h --until soon', /It is a day or a time such as/],
  ['deliveries replay --mode test --since 5', /It is a day or a time such as/],
];

for (const [args, complaint] of refused) {
  test(`"tillhook ${args}" is refused with the usage and exit 2`, async (t) => {
    const { code, stdout, stderr } = await runTillhook(nowhere, ...args.split(' ').filter(Boolean));

    t.is(code, 2);
    t.is(stdout, '');
    t.regex(stderr, complaint);
    t.regex(stderr, /^Usage: tillhook /m);
  });
}

test('a command with wrong arguments exits with 2 and says why', async (t) => {
  const { code, stdout, stderr } = await spawnCommand(nowhere, 'keys', 'create', '--mode', 'real').ended;

  t.deepEqual([code, stdout], [2, '']);
  t.regex(stderr, /Allowed choices are test, live\./);
});

test('help lists the commands and exits with 0', async (t) => {
  const { code, stdout } = await spawnCommand(nowhere, 'keys', '--help').ended;

  t.is(code, 0);
  const [, listed = ''] = /^Commands:\n((?: .*\n)+)/m.exec(stdout) ?? [];
  const commands = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, command]) => command);
  t.deepEqual(commands, ['create', 'list', 'roll', 'revoke', 'help']);
});

test('an unreachable database gives one line without its password, and exit 1', async (t) => {
  const { code, stdout, stderr } = await spawnCommand(nowhere, 'keys', 'list', '--json').ended;

  t.is(code, 1);
  t.is(stdout, '');
  t.regex(stderr, /^The database \(127\.0\.0\.1:1\/none\) cannot be used: [^\n]+\n$/);
  t.notRegex(stderr, /hidden/);
});
