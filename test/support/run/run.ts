/**
 * `npm test`, `npm run test:all` and `npm run test:fast`: runs ava on the files of the command, or on the files that the
 * arguments name, wherever these are. What files need besides, such as Postgres or a browser, starts when the first file
 * asks for it. So this file loads only what every run needs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type CommandName, commands, testsFolder } from './commands.ts';
import { startLending } from './lend.ts';

const [command, ...args] = process.argv.slice(2) as [CommandName, ...string[]];
/** Each file has a process, and all of them load the same modules. `npm ci` removes the folder. */
process.env.NODE_COMPILE_CACHE ||= join(testsFolder, '../node_modules/.cache/tillhook-tests');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
process.env.TEST_MASTER_KEYS = `test:${randomBytes(32).toString('base64')}`;

const home = mkdtempSync(join(tmpdir(), 'tillhook-test-'));
const shared = await startLending(home);
process.env.TEST_SHARED_URL = shared.url;
let ava: ChildProcess | undefined;
process.on('uncaughtException', fail);
const ended = args.length === 0 ? runWhole() : endOf(startAva(namesFiles() ? 'test:all' : command, 'inherit'));
await ended.then(end, fail);

/** Stops what is lent, because otherwise its Postgres would go on running. */
async function end(status: number): Promise<never> {
  ava?.kill();
  await shared[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
  // The schedule of the shared server leaves timers behind that would keep this process for minutes.
  process.exit(status);
}

/** Servers that are lent run in this process, so an uncaught error in one of them ends the run. */
function fail(error: unknown): Promise<never> {
  console.error(error);
  return end(1);
}

/** `--match` is followed by a pattern of titles, and not by a file. */
function namesFiles(): boolean {
  return args.some((arg, index) => !arg.startsWith('-') && !/^(-m|--match)$/.test(args[index - 1] ?? ''));
}

/** Runs all files of the command, says what ran, and asks whether every documented status was seen. */
async function runWhole(): Promise<number> {
  if (command === 'test:all' && (await import('./missing-programs.ts')).refuseMissingPrograms()) return 1;
  process.env.TEST_OBSERVED_FILE = join(home, 'observed');
  const stripping = endOf(spawn(process.execPath, [join(import.meta.dirname, 'strip-types.ts')], { stdio: 'inherit' }));
  const tests = startAva(command, 'pipe');
  const { countTests, reportRun } = await import('./report.ts');
  const counted = countTests(tests.stdout as Readable);
  const status = (await endOf(tests)) || (await stripping) || (await findUnproven(counted.skipped));
  reportRun(command, counted);
  return status;
}

/** Returns 1 if a test was skipped that must run, or if a documented status was never seen. */
async function findUnproven(skipped: string[]): Promise<number> {
  // A few tests read the memory of a process from `/proc`, which only Linux has.
  if (command !== 'test:all' && process.platform === 'linux' && skipped.length > 0) {
    console.error(`\n  npm run ${command} skips nothing, so these belong in exhaustive/: ${skipped.join(', ')}`);
    return 1;
  }
  if (command === 'test:fast') return 0;
  const { reportCoverage } = await import('./coverage.ts');
  return reportCoverage(process.env.TEST_OBSERVED_FILE ?? '');
}

function startAva(files: CommandName, output: 'inherit' | 'pipe'): ChildProcess {
  const program = fileURLToPath(new URL('cli.js', import.meta.resolve('ava')));
  const colours = output === 'pipe' && process.stdout.isTTY ? ['--color'] : [];
  const child = spawn(process.execPath, [program, ...colours, ...args], {
    cwd: testsFolder,
    stdio: ['inherit', output, 'inherit'],
    env: { ...process.env, TEST_FILES: commands[files].join(' ') },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  ava = child;
  return child;
}

function endOf(program: ChildProcess): Promise<number> {
  return new Promise((resolve) => program.on('close', (code) => resolve(code ?? 1)));
}
