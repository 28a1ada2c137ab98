/** `npm run image` builds and starts the image. */
import { existsSync } from 'node:fs';
import { settings } from '@tillhook/server/src/config/config.ts';
import test from 'ava';
import { commandOf, imageEnvironment, manifestOfRoot, probePaths, read, readDockerfile, root } from './files.ts';

const instructions = readDockerfile();
const restsOf = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest);
/** The last instruction belongs to the last stage, which is the image. */
const last = (name: string) => restsOf(name).at(-1) ?? '';

test('the image starts the service with the flags of npm start', (t) => {
  t.deepEqual(JSON.parse(last('CMD')), commandOf('start'));
});

test('every stage of the Dockerfile has the same version of Node, the version that package.json requires', (t) => {
  const bases = restsOf('FROM').map((rest) => rest.split(' ')[0] ?? '');
  const stages = restsOf('FROM').flatMap((rest) => rest.split(' AS ')[1] ?? []);
  const [, major] = /"node": "\^(\d+)\./.exec(read('package.json')) ?? [];

  t.deepEqual(
    bases.filter((base) => !stages.includes(base)),
    Array.from({ length: 2 }, () => `node:${major}-slim`),
  );
});

test('the image runs without root, under a numeric user id, which Kubernetes requires', (t) => {
  t.regex(last('USER'), /^[1-9]\d*:[1-9]\d*$/);
});

test('the image listens on all addresses at the default port, and exposes that port', (t) => {
  const { HOST, PORT } = imageEnvironment();

  t.is(HOST, '0.0.0.0');
  t.is(Number(PORT), settings.PORT.parse(undefined));
  t.is(PORT, last('EXPOSE'));
});

test('the health check calls a probe of the service with an existing program', (t) => {
  const [, command = '[]'] = /CMD (\[.+\])$/.exec(last('HEALTHCHECK')) ?? [];
  const [program, file = '', path = ''] = JSON.parse(command);

  t.is(program, 'node');
  t.true(existsSync(root + file), file);
  t.true(probePaths.includes(path), path);
});

test('the Dockerfile gives npm the manifest of every workspace, because npm refuses to install without the manifests', (t) => {
  const copied = restsOf('COPY').flatMap((rest) => /^(\S+)\/package\.json \1\/$/.exec(rest)?.[1] ?? []);

  t.deepEqual(copied.toSorted(), manifestOfRoot.workspaces.toSorted());
});

test('every file that the Dockerfile copies from the repository exists, and .dockerignore does not exclude it', (t) => {
  const sent = read('.dockerignore').split('\n');
  const sources = restsOf('COPY')
    .filter((rest) => !rest.startsWith('--from='))
    .flatMap((rest) => rest.split(' ').slice(0, -1));

  for (const source of sources) {
    t.true(existsSync(root + source), source);
    t.true(
      sent.some((line) => line.startsWith('!') && isInside(source, line.slice(1))),
      `${source} is not in .dockerignore`,
    );
  }
  t.true(sources.length > 10);
});

/** Only a part of `docs` is in the image. */
const isInside = (source: string, sent: string) =>
  source === sent || source.startsWith(`${sent}/`) || sent.startsWith(`${source}/`);

test('.dockerignore excludes all files except those that it allows, and always excludes files that may hold secrets or are generated', (t) => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const firstAllowed = lines.findIndex((line) => line.startsWith('!'));
  const lastAllowed = lines.findLastIndex((line) => line.startsWith('!'));

  t.deepEqual(lines.slice(0, firstAllowed), ['*']);
  // In .dockerignore, later lines override earlier lines.
  for (const name of ['**/.env*', '**/*.pem', '**/*.key', '**/.data', '**/node_modules', '**/dist'])
    t.true(lines.indexOf(name) > lastAllowed, name);
});
