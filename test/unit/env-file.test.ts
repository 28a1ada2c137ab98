import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvFile } from '@tillhook/server/src/config/env-file.ts';
import test, { type ExecutionContext } from 'ava';

function fileWith(t: ExecutionContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'env-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.env'), text);
  return join(folder, '.env');
}

const read: [what: string, text: string, values: Record<string, string>][] = [
  ['values, comments and empty lines', 'A=1\n\n# B=2\n  C = two words # three\n', { A: '1', C: 'two words' }],
  ['quotes, also over several lines', 'A="a # b"\nB=\'c\nd\'\nexport C=`e`', { A: 'a # b', B: 'c\nd', C: 'e' }],
  ['an empty value', 'A=\nB=""\n', { A: '', B: '' }],
  ['a value with an equals sign', 'MASTER_KEYS=1:abc=,2:def=\n', { MASTER_KEYS: '1:abc=,2:def=' }],
  ['a file with the line ends of Windows', '\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['an empty file', '', {}],
];

for (const [what, text, values] of read) {
  test(`.env may contain ${what}`, (t) => {
    const found = readEnvFile(fileWith(t, text));

    t.deepEqual({ ...found.values }, values);
    t.deepEqual(found.problems, []);
  });
}

const refused: [what: string, text: string, lines: number[]][] = [
  ['a line without an equals sign', 'A=1\nSTRIPE_SECRET_KEY sk_live_hidden\nB=2\nhidden\n', [2, 4]],
  ['a line without a name', '=hidden\n', [1]],
  ['a quote that is not closed', 'A=1\n\nB="hidden\nC=3\n', [3]],
  ['text after a closing quote', 'A="a\nb"\nB="hidden" hidden\n', [3]],
];

for (const [what, text, lines] of refused) {
  test(`${what} is reported by its line number and not by its text`, (t) => {
    const path = fileWith(t, text);

    const { problems } = readEnvFile(path);

    t.deepEqual(
      problems.map((problem) => problem.split(':')[0]),
      lines.map((line) => `${path}, line ${line}`),
    );
    t.notRegex(problems.join(), /hidden/);
  });
}

test('a missing .env file is no problem, and a folder with the name .env is a problem', (t) => {
  const path = fileWith(t, '');
  const folder = `${path}.d`;
  mkdirSync(folder);

  t.deepEqual(readEnvFile(`${path}.missing`), { values: {}, problems: [] });
  t.regex(readEnvFile(folder).problems.join(), /\.env\.d: cannot be read: EISDIR/);
});
