/** Tests more kinds of damage to the embedded database's folder, and effects of a full disk and of file permissions. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import test, { type ExecutionContext } from 'ava';
import { createDataDir } from '../../support/server/data-dir.ts';
import { embeddedDatabases, isAlive, pidIn } from '../../support/server/embedded-database.ts';
import { spawnTillhook } from '../../support/server/process.ts';

const isRoot = process.getuid?.() === 0;
/** Only root can mount a small disk or change the owner of files. */
const asRoot = isRoot ? test.serial : test.serial.skip;

const createDatabase = embeddedDatabases();

const damages: [title: string, damage: (home: string, directory: string) => void, sentence: RegExp][] = [
  [
    'a broken postmaster.pid',
    (_home, directory) => writeFileSync(join(directory, 'postmaster.pid'), 'garbage\n'),
    /^\S+\/postmaster\.pid is empty or broken/,
  ],
  [
    'permissions of other accounts',
    (_home, directory) => chmodSync(directory, 0o755),
    /^Other accounts may read or change \S+, which Postgres refuses\. Run: chmod 700 '\S+'$/,
  ],
  [
    'no permissions at all',
    (_home, directory) => chmodSync(directory, 0o000),
    isRoot ? /^Postgres runs as the account nobody, which may not use / : /^This account may not use DATA_DIR /,
  ],
  [
    'no PG_VERSION',
    (_home, directory) => rmSync(join(directory, 'PG_VERSION')),
    /^The database in \S+ is incomplete: \S+\/PG_VERSION is missing\. Restore the folder from a copy, /,
  ],
  [
    'no configuration file',
    (_home, directory) => rmSync(join(directory, 'postgresql.conf')),
    /^The database in \S+ is incomplete: \S+\/postgresql\.conf is missing\. /,
  ],
  [
    'a setting that Postgres refuses',
    (_home, directory) => appendFileSync(join(directory, 'postgresql.conf'), 'shared_buffers = much\n'),
    /^configuration file "\S+" contains errors \(\S+\/log says more\)$/,
  ],
  [
    'a lost password',
    (home) => rmSync(join(home, 'postgres-password')),
    /^The password in \S+ is not that of the database, because the file was lost or replaced\. Restore it, /,
  ],
  [
    'an empty password',
    (home) => writeFileSync(join(home, 'postgres-password'), ''),
    /^\S+\/postgres-password is empty\. Restore it from a copy\.$/,
  ],
];

for (const [title, damage, sentence] of damages) {
  test.serial(
    `a data folder with ${title} stops the start with a sentence that says what to do, and no Postgres keeps running`,
    async (t) => {
      const { home, directory, pidFile } = createDatabase(t);
      t.teardown(() => chmodSync(directory, 0o700));
      damage(home, directory);

      await t.throwsAsync(startEmbeddedPostgres(home), { message: sentence });

      t.false(existsSync(pidFile) && isAlive(pidIn(pidFile)));
    },
  );
}

asRoot('a folder that root has copied stops the start with the command that restores its owner', async (t) => {
  const { home, directory } = createDatabase(t);
  const copy = createDataDir(t);
  execFileSync('cp', ['-r', `${home}/.`, copy]);
  t.not(statSync(join(copy, 'postgres')).uid, statSync(directory).uid);

  const error = await t.throwsAsync(startEmbeddedPostgres(copy), {
    message: /^\S+ belongs to another account, .+ Run as root: chown -R nobody '\S+'$/,
  });
  execFileSync('sh', ['-c', /Run as root: (.+)$/.exec(error.message)?.[1] ?? 'false']);

  await (await startEmbeddedPostgres(copy)).stop();
});

asRoot('a full disk stops the start with a sentence, both while the database is created and later', async (t) => {
  const full = { message: /^The disk of DATA_DIR \(\S+\) is full\. Make room, and start again\.$/ };
  const small = mountDisk(t, '20m');
  await t.throwsAsync(startEmbeddedPostgres(small), full);
  t.false(existsSync(join(small, 'postgres')));

  const large = mountDisk(t, '60m');
  const { home } = createDatabase(t);
  execFileSync('cp', ['-a', `${home}/.`, large]);
  execFileSync('sh', ['-c', `cat /dev/zero > ${large}/filling 2> /dev/null || true`]);
  await t.throwsAsync(startEmbeddedPostgres(large), full);
  rmSync(join(large, 'filling'));
  await (await startEmbeddedPostgres(large)).stop();
});

asRoot(
  'a read-only disk stops the start with a sentence, both with an existing database and without one',
  async (t) => {
    const onlyRead = { message: /^The disk of DATA_DIR \(\S+\) can only be read\. Make it writable, / };
    const { home } = createDatabase(t);
    const disk = mountDisk(t, '100m');
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    await t.throwsAsync(startEmbeddedPostgres(disk), onlyRead);

    execFileSync('mount', ['-o', 'remount,rw', disk]);
    execFileSync('cp', ['-a', `${home}/.`, disk]);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    await t.throwsAsync(startEmbeddedPostgres(disk), onlyRead);
  },
);

function mountDisk(t: ExecutionContext, size: string): string {
  const disk = createDataDir(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk]);
  t.teardown(() => execFileSync('umount', [disk]));
  return disk;
}

asRoot("a folder that Postgres's account cannot access stops the start with a sentence", async (t) => {
  const outer = createDataDir(t);
  chmodSync(outer, 0o700);

  await t.throwsAsync(startEmbeddedPostgres(join(outer, 'data')), {
    message:
      /^Postgres runs as the account nobody, which may not use \S+\. Give it the right to use this and the folders /,
  });
});

test.serial('a DATA_DIR that cannot be created ends the start with a sentence', async (t) => {
  const { code, stderr } = await spawnTillhook(t, { DATA_DIR: '/proc/x/y', NODE_ENV: 'test' }).ended;

  t.is(code, 1);
  t.regex(stderr, /^The embedded database does not start: DATA_DIR \(\/proc\/x\/y\) cannot be created: [^\n]+\n$/);
});

test.serial('an empty file master-key ends the start with a sentence, and stops the database', async (t) => {
  const { home, pidFile } = createDatabase(t);
  writeFileSync(join(home, 'master-key'), '');

  const { code, stderr } = await spawnTillhook(t, { DATA_DIR: home, LOG_LEVEL: 'silent', NODE_ENV: 'test' }).ended;

  t.is(code, 1);
  t.regex(stderr, /^\S+\/master-key must hold 32 bytes as base64\. Restore it: [^\n]+\n$/);
  t.false(existsSync(pidFile));
});

test.serial('a DATA_DIR may be relative, contain spaces, and not exist yet', async (t) => {
  const home = createDataDir(t);
  mkdirSync(join(home, 'here'));
  chmodSync(join(home, 'here'), 0o755);
  const env = { DATA_DIR: '../my data/of today', LOG_LEVEL: 'silent', NODE_ENV: 'test' };

  const server = spawnTillhook(t, env, { cwd: join(home, 'here') });
  await server.line('ready');
  server.kill('SIGTERM');

  t.is((await server.ended).code, 0);
  t.true(existsSync(join(home, 'my data', 'of today', 'postgres', 'PG_VERSION')));
});
