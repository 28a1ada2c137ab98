/**
 * Choice: the earlier version is the last commit without the five newest migrations, because an installation that is
 * upgraded every week or two applies several migrations at once.
 * See docs/decisions/tests.md, "An upgrade is rehearsed with a version that is five migrations old".
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface EarlierRelease {
  commit: string;
  main: string;
  newMigrations: string[];
}

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
/** A glob, because earlier versions had the migrations in another folder. */
const migrations = 'server/src/**/migrations';
const migrationsBack = 5;

export async function checkOutRelease(
  running: AsyncDisposableStack,
  from: string | undefined,
): Promise<EarlierRelease | string> {
  let commit: string;
  try {
    commit = await git('rev-parse', '--verify', `${from ?? (await commitBefore())}^{commit}`);
  } catch {
    return `there is no commit ${from ?? 'before the newest migrations'} in the history of this folder`;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-release-'));
  running.defer(() => rmSync(folder, { recursive: true, force: true }));
  const archive = join(folder, 'release.tar');
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  await addPackages(folder);
  const had = new Set(migrationsIn(folder));
  const newMigrations = migrationsIn(root).filter((migration) => !had.has(migration));
  return { commit: commit.slice(0, 8), main: join(folder, 'server/src/main.ts'), newMigrations };
}

export async function migrateWith(databaseUrl: string, masterKeys: string, main?: string): Promise<void> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, NODE_ENV: 'production', DATABASE_URL: databaseUrl, MASTER_KEYS: masterKeys };
  await run('npm', ['run', 'db:migrate'], { cwd: main ? join(dirname(main), '../..') : root, env });
}

async function commitBefore(): Promise<string> {
  const first = migrationsIn(root).at(-migrationsBack) ?? '';
  const path = `:(glob)${migrations}/${first}`;
  const adding = await git('log', '--first-parent', '-m', '--diff-filter=A', '--format=%H', '--', path);
  return `${adding.split('\n').at(-1)}^1`;
}

async function addPackages(folder: string): Promise<void> {
  const npm = (...args: string[]) => run('npm', args, { cwd: folder, maxBuffer: 1e8 });
  const packages = ['sdk', 'server', 'dashboard'].flatMap((name) => ['--workspace', `@tillhook/${name}`]);
  if (hasPackagesOf(folder)) await linkPackages(folder);
  else await npm('ci', '--ignore-scripts', '--include-workspace-root', ...packages);
  await npm('run', 'build', '--workspace', '@tillhook/dashboard');
}

function hasPackagesOf(folder: string): boolean {
  const [theirs, ours] = [folder, root].map((at) => readFileSync(join(at, 'package-lock.json'), 'utf8'));
  return theirs === ours;
}

/** Copies the packages of this version as hard links. Symbolic links between workspaces then point into the copy. */
async function linkPackages(folder: string): Promise<void> {
  for (const at of ['', 'openapi', 'sdk', 'server', 'server/dashboard']) {
    const packages = join(root, at, 'node_modules');
    if (!existsSync(packages)) continue;
    // Hard links are impossible if the temporary folder is on another disk.
    await run('cp', ['-al', packages, join(folder, at)]).catch(() => run('cp', ['-a', packages, join(folder, at)]));
  }
}

function migrationsIn(folder: string): string[] {
  return globSync(`${migrations}/[0-9]*.ts`, { cwd: folder })
    .map((path) => basename(path))
    .sort();
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: root })).stdout.trim();
}
