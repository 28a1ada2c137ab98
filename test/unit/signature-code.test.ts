/** Runs the code of the first steps as it is shown, with the programs of this machine. Node is always installed. */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureCode } from '@tillhook/dashboard/src/home/signature-code.ts';
import test from 'ava';

/** Go is left out, because compiling takes longer than all other tests. Run its code by hand after a change. */
const programs: Record<string, { name: string; program: string }> = {
  Node: { name: 'verify.mjs', program: process.execPath },
  Python: { name: 'verify.py', program: 'python3' },
  PHP: { name: 'verify.php', program: 'php' },
  Ruby: { name: 'verify.rb', program: 'ruby' },
  Shell: { name: 'verify.sh', program: 'sh' },
};

const awkward = [
  JSON.stringify({
    text: `It's "quoted" \\ \\n é متجر 🏪 #{1+1} #$0 $HOME \${x} \`id\` %s %d \u2028 \ufeff </script>\n\t`,
  }),
  "'raw'\r\nlines\\",
].join('');

test('the code of each installed language prints the signature of a body with quotes, line ends, backslashes and emoji', (t) => {
  const key = Buffer.alloc(24, 0xfb);
  const signed = { id: 'msg_1', timestamp: '1700000000', secret: `whsec_${key.toString('base64')}`, body: awkward };
  const expected = createHmac('sha256', key).update(`msg_1.1700000000.${awkward}`).digest('base64');
  const directory = mkdtempSync(join(tmpdir(), 'tillhook-signature-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const run: string[] = [];

  for (const { language, code } of signatureCode(signed)) {
    const { name = '', program = '' } = programs[language] ?? {};
    if (!program) continue;
    writeFileSync(join(directory, name), code);
    const { stdout, stderr, error } = spawnSync(program, [name], { cwd: directory, encoding: 'utf8' });
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') t.log(`${program} is not installed`);
    else t.is(stdout.trim(), `v1,${expected}`, `${language}: ${stderr}`);
    if (!error) run.push(language);
  }

  t.true(run.includes('Node'));
});
