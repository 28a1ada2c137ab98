import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openCluster, postgresPackage } from '@tillhook/server/src/platform/database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import { explainFailure } from '@tillhook/server/src/platform/database/embedded/explain-failure.ts';
import test from 'ava';
import { createDataDir } from '../support/server/data-dir.ts';
import { embeddedDatabases, isAlive, pidIn } from '../support/server/embedded-database.ts';

// `exhaustive/restart/embedded-folder.test.ts` tests all other kinds of damage, and damage that only root can cause.

const createDatabase = embeddedDatabases();

const damages: [title: string, damage: (home: string, directory: string) => void, sentence: RegExp][] = [
  [
    'an empty postmaster.pid',
    (_home, directory) => writeFileSync(join(directory, 'postmaster.pid'), ''),
    /^\S+\/postmaster\.pid is empty or broken, as after a power failure\. .+ remove that file, and start again\.$/,
  ],
  [
    'the files of another major version',
    (_home, directory) => writeFileSync(join(directory, 'PG_VERSION'), '17\n'),
    /^The database in \S+ was made by Postgres 17, and this is Postgres 18\.\d+\. Copy its data with pg_dump /,
  ],
  [
    'no pg_control',
    (_home, directory) => rmSync(join(directory, 'global', 'pg_control')),
    /^The database in \S+ is incomplete: \S+\/pg_control is missing\. /,
  ],
  [
    'another password',
    (home) => writeFileSync(join(home, 'postgres-password'), 'another'),
    /^The password in \S+ is not that of the database/,
  ],
];

test('the error for a data folder that cannot be read names the folder and the cause, and an unknown error keeps its message', async (t) => {
  const home = join(createDataDir(t), 'loop');
  symlinkSync(home, home);
  const place = { home, directory: join(home, 'postgres'), account: { name: 'nobody', uid: 65_534 } };
  const failure = (code: string) => Object.assign(new Error('It failed'), { code });

  t.regex(explainFailure(failure('EACCES'), place).message, /^This account may not use DATA_DIR \(\S+\): It failed\. /);
  t.is(explainFailure(failure('unknown'), place).message, 'It failed');
  const cluster = await openCluster(home);
  await t.throwsAsync(cluster.start(), { message: /^DATA_DIR cannot be used: ELOOP: .+ Choose another DATA_DIR\.$/ });
});

for (const [title, damage, sentence] of damages) {
  test.serial(
    `a data folder with ${title} stops the start with a sentence that says what to do, and no Postgres keeps running`,
    async (t) => {
      const { home, directory, pidFile } = createDatabase(t);
      damage(home, directory);

      await t.throwsAsync(startEmbeddedPostgres(home), { message: sentence });

      t.false(existsSync(pidFile) && isAlive(pidIn(pidFile)));
    },
  );
}

test.serial('Postgres programs that cannot run stop the start with one sentence', async (t) => {
  const home = createDataDir(t);
  const { initdb, pg_ctl } = await import(postgresPackage);
  const copied = join(createDataDir(t), basename(initdb));
  cpSync(initdb, copied);
  const cannotRun = {
    message: /^The programs of the embedded Postgres do not run on this machine \(.+\)\. Set DATABASE_URL /,
  };

  // The first program lacks its libraries, and the second program does not exist.
  await t.throwsAsync(startEmbeddedPostgres(home, { programs: { initdb: copied, pg_ctl } }), cannotRun);
  await t.throwsAsync(startEmbeddedPostgres(home, { programs: { initdb: `${copied}-missing`, pg_ctl } }), cannotRun);
});

for (const [title, place] of [
  ['a file', (home: string) => join(home, 'file')],
  ['below a file', (home: string) => join(home, 'file', 'data')],
] as const) {
  test.serial(`a DATA_DIR that is ${title} stops the start with a sentence`, async (t) => {
    const home = createDataDir(t);
    writeFileSync(join(home, 'file'), '');

    await t.throwsAsync(startEmbeddedPostgres(place(home)), {
      message: /^DATA_DIR must be a folder, and \S+ is a file /,
    });
  });
}
