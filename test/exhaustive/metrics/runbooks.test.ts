/** A shell can parse each block of shell in the runbooks. */
import { execFileSync } from 'node:child_process';
import test from 'ava';
import { codeIn, runbooksText } from '../../support/ops/ops-files.ts';

test('each block of shell in the runbooks can be parsed by a shell', (t) => {
  for (const block of codeIn(runbooksText, 'sh'))
    t.notThrows(() => execFileSync('bash', ['-n'], { input: block, stdio: ['pipe', 'pipe', 'pipe'] }), block);
});
