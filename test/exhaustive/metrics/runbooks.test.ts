/** Tests that a shell can parse each shell block in the runbooks. */
import { execFileSync } from 'node:child_process';
import test from 'ava';
import { codeIn, runbooksText } from '../../support/ops/ops-files.ts';

test('a shell can parse each shell block in the runbooks', (t) => {
  for (const block of codeIn(runbooksText, 'sh'))
    t.notThrows(() => execFileSync('bash', ['-n'], { input: block, stdio: ['pipe', 'pipe', 'pipe'] }), block);
});
