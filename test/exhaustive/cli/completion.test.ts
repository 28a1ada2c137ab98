/** Tests the completion of `tillhook` and of the developer's commands in real shells: bash, zsh and fish. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { missingShells } from '../../support/programs/installed-programs.ts';
import { spawnCommand } from '../../support/server/command.ts';
import { spawnDeveloper } from '../../support/server/developer.ts';

const run = promisify(execFile);

/** Completion must not connect to a database, so no database listens at this URL. */
const nowhere = { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' };

/** These programs press Tab in a shell and print the completions; `$SCRIPT` is our completion script. */
const shells = {
  bash: {
    // Our completion script uses only this function of the package bash-completion.
    program: `_get_comp_words_by_ref() { cur=re prev=users cword=2; words=(tillhook users re); }
      source "$SCRIPT"
      __tillhook_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  fish: {
    program: `source "$SCRIPT"; complete --do-complete 'tillhook users re' | cut -f1`,
  },
  zsh: {
    program: `autoload -Uz compinit; compinit -u -d "$SCRIPT.dump"; _describe() { print -l -- \${(P)2%%:*} }
      source "$SCRIPT"; words=(tillhook users re); CURRENT=3; _tillhook`,
  },
};

const expected = ['remove', 'remove-passkeys', 'remove-two-step', 'require-two-step', 'reset-password'];
const missing = missingShells();

for (const [shell, { program }] of Object.entries(shells).filter(([name]) => !missing.includes(name))) {
  test(`the completion script for ${shell} completes a command in a real ${shell}`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'completion-'));
    t.teardown(() => rmSync(directory, { recursive: true }));
    const SCRIPT = join(directory, 'script');
    writeFileSync(SCRIPT, (await spawnCommand(nowhere, 'completion', shell).ended).stdout);

    const { PATH = '' } = process.env;
    const { stdout } = await run(shell, ['-c', program], { env: { PATH, HOME: directory, SCRIPT, ...nowhere } });

    t.deepEqual(stdout.trim().split('\n').toSorted(), expected);
  });
}

for (const shell of Object.keys(shells)) {
  test(`the developer's commands have completion in ${shell}`, async (t) => {
    const { code, stdout } = await spawnDeveloper(t, {}, 'completion', shell).ended;

    t.is(code, 0);
    t.regex(stdout, new RegExp(`${shell} completion for mock`));
  });
}

test('bash prints nothing when it loads a completion script twice', async (t) => {
  const [operator, developer] = await Promise.all([
    spawnCommand(nowhere, 'completion', 'bash').ended,
    spawnDeveloper(t, {}, 'completion', 'bash').ended,
  ]);
  t.regex(operator.stdout, /complete -F __tillhook_complete tillhook/);

  const program = 'source /dev/stdin <<< "$SCRIPT"; source /dev/stdin <<< "$SCRIPT"';
  for (const { stdout: script } of [operator, developer]) {
    const read = await run('bash', ['--norc', '-c', program], {
      env: { PATH: process.env.PATH ?? '', SCRIPT: script },
    });
    t.deepEqual(read, { stdout: '', stderr: '' });
  }
});
