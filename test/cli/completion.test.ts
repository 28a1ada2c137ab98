import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { developerCommands } from '@tillhook/server/src/cli/program.ts';
import test from 'ava';
import { missingShells } from '../support/run/shells.ts';
import { runTillhook, spawnCommand } from '../support/server/command.ts';

const run = promisify(execFile);

/** No database: completion must open nothing. */
const nowhere = { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' };

const suggestionsFor = async (...words: string[]) => {
  const { stdout } = await spawnCommand(nowhere, 'complete', '--', ...words).ended;
  return stdout
    .split('\n')
    .filter((line) => line && !line.startsWith(':'))
    .map((line) => line.split('\t')[0]);
};

test('suggests commands, their subcommands, options and choices, and nothing hidden', async (t) => {
  const [commands, subcommands, options, choices, shells] = await Promise.all([
    suggestionsFor(''),
    suggestionsFor('keys', ''),
    suggestionsFor('keys', 'create', '--'),
    suggestionsFor('keys', 'create', '--mode', ''),
    suggestionsFor('completion', ''),
  ]);

  const groups = ['completion', 'deliveries', 'help', 'keys', 'ledger', 'merchants', 'payments', 'refunds', 'secrets'];
  t.deepEqual(commands.toSorted(), [...groups, 'transfers', 'users', 'webhooks', ...developerCommands].toSorted());
  t.deepEqual(subcommands, ['create', 'list', 'roll', 'revoke', 'help']);
  t.deepEqual(options, ['--mode', '--merchant', '--scopes', '--name', '--help', '--json']);
  t.deepEqual(choices, ['test', 'live']);
  t.deepEqual(shells, ['bash', 'zsh', 'fish']);
});

test('an unknown shell is refused with exit 2', async (t) => {
  const { code, stderr } = await runTillhook(nowhere, 'completion', 'tcsh');

  t.is(code, 2);
  t.regex(stderr, /Allowed choices are bash, zsh, fish\./);
});

/**
 * Programs of each shell that press Tab and print what is offered. `$SCRIPT` is the file with its script. Bash is
 * everywhere; the other shells are tried where they are installed.
 */
const shells = {
  bash: {
    // In place of the package bash-completion, of which the script uses this one function.
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

const missing = missingShells();

for (const [shell, { program }] of Object.entries(shells).filter(([name]) => !missing.includes(name))) {
  test(`the script of ${shell} completes a command in a real ${shell}`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'completion-'));
    t.teardown(() => rmSync(directory, { recursive: true }));
    const SCRIPT = join(directory, 'script');
    writeFileSync(SCRIPT, (await spawnCommand(nowhere, 'completion', shell).ended).stdout);

    const { PATH = '' } = process.env;
    const { stdout } = await run(shell, ['-c', program], { env: { PATH, HOME: directory, SCRIPT, ...nowhere } });

    t.deepEqual(stdout.trim().split('\n').toSorted(), ['remove-two-step', 'require-two-step', 'reset-password']);
  });
}

test('a shell that reads the script of bash twice prints nothing', async (t) => {
  const { stdout: script } = await spawnCommand(nowhere, 'completion', 'bash').ended;

  const program = 'source /dev/stdin <<< "$SCRIPT"; source /dev/stdin <<< "$SCRIPT"';
  const read = await run('bash', ['--norc', '-c', program], { env: { PATH: process.env.PATH ?? '', SCRIPT: script } });

  t.regex(script, /complete -F __tillhook_complete tillhook/);
  t.deepEqual(read, { stdout: '', stderr: '' });
});
