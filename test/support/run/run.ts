/** Fixtures start when the first file asks for them, so this file imports only modules that every run needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type CommandName, commands, testsFolder } from './commands.ts';
import { startFixtures } from './fixtures.ts';

const [command, ...args] = process.argv.slice(2) as [CommandName, ...string[]];
/**
 * Test files load the same modules in separate processes, so they share a compile cache. `npm ci` removes the cache.
 */
process.env.NODE_COMPILE_CACHE ||= join(testsFolder, '../node_modules/.cache/tillhook-tests');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
process.env.TEST_MASTER_KEYS = `test:${randomBytes(32).toString('base64')}`;

const home = mkdtempSync(join(tmpdir(), 'tillhook-test-'));
const shared = await startFixtures(home);
process.env.TEST_SHARED_URL = shared.url;
let ava: ChildProcess | undefined;
process.on('uncaughtException', fail);
const ended = args.length === 0 ? runWhole() : endOf(startAva(namesFiles() ? 'test:all' : command, 'inherit'));
await ended.then(end, fail);

/** Without this function, Postgres would keep running. */
async function end(status: number): Promise<never> {
  ava?.kill();
  await shared[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
  // The schedule of the shared server leaves timers behind, which would keep this process running for minutes.
  process.exit(status);
}

/** Servers of tests run in this process, so an uncaught error in a server ends the run. */
function fail(error: unknown): Promise<never> {
  console.error(error);
  return end(1);
}

/** The argument after `--match` is a pattern of titles. */
function namesFiles(): boolean {
  return args.some((arg, index) => !arg.startsWith('-') && !/^(-m|--match)$/.test(args[index - 1] ?? ''));
}

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

/** Returns 1 if a test that must run was skipped, or if a documented status was returned in no test. */
async function findUnproven(skipped: string[]): Promise<number> {
  // A few tests read the memory of a process from `/proc`, which only Linux has.
  if (command !== 'test:all' && process.platform === 'linux' && skipped.length > 0) {
    console.error(`\n  npm run ${command} may skip no test. Move these to exhaustive/: ${skipped.join(', ')}`);
    return 1;
  }
  if (command === 'test:fast') return 0;
  const { reportCoverage } = await import('../server/contract-coverage.ts');
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
