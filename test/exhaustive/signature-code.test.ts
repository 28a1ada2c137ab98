/** Runs the dashboard's code that computes a signature, in each language that is installed on this machine. */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureCode } from '@tillhook/dashboard/src/home/signature-code.ts';
import test from 'ava';
import { signaturePrograms } from '../support/dashboard/signature-programs.ts';
import { missingLanguages } from '../support/programs/installed-programs.ts';
import { receiverFiles } from '../support/quick-start/quick-start.ts';

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
  const missing = missingLanguages();

  const samples = signatureCode(signed, receiverFiles);
  t.deepEqual(
    samples.map(({ language }) => language),
    Object.keys(signaturePrograms),
  );
  for (const { language, code } of samples.filter((sample) => !missing.includes(sample.language))) {
    const { command = [], file = '' } = signaturePrograms[language] ?? {};
    const [program = '', ...args] = command;
    writeFileSync(join(directory, file), code);
    const { stdout, stderr } = spawnSync(program, [...args, file], { cwd: directory, encoding: 'utf8' });
    t.is(stdout.trim(), `v1,${expected}`, `${language}: ${stderr}`);
  }
});
