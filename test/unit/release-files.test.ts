import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changedFiles, uncommittedFiles } from '@tillhook/openapi/release/changed-files';
import { manifestTexts } from '@tillhook/openapi/release/package-texts';
import test, { type ExecutionContext } from 'ava';

const address = 'git+https://git.example/shop/pay.git';
const files = {
  'package.json': {
    version: '0.2.0',
    workspaces: ['sdk', 'mock', 'server'],
    repository: { type: 'git', url: address },
  },
  'sdk/package.json': { name: '@tillhook/sdk', version: '0.2.0' },
  'mock/package.json': {
    name: '@tillhook/mock',
    version: '0.2.0',
    dependencies: { '@tillhook/sdk': '0.2.0', yaml: '^2.9.1' },
  },
  'server/package.json': { version: '0.2.0', dependencies: { '@tillhook/sdk': '*' } },
  'package-lock.json': {
    version: '0.2.0',
    packages: {
      '': { version: '0.2.0' },
      sdk: { version: '0.2.0' },
      mock: { version: '0.2.0', dependencies: { '@tillhook/sdk': '0.2.0' } },
      server: { version: '0.2.0', dependencies: { '@tillhook/sdk': '*' } },
      'node_modules/yaml': { version: '2.9.1', engines: { node: '>= 14.6' } },
    },
  },
};

test('a release sets the version in every package.json and the lock file, pins the SDK that the mock depends on, and removes engines of other packages from the lock file', (t) => {
  const texts = manifestTexts(repository(t), '0.3.0');

  const read = (path: string) => JSON.parse(texts[path] ?? '');
  t.deepEqual(Object.keys(texts).toSorted(), Object.keys(files).toSorted());
  for (const path of Object.keys(files)) t.is(read(path).version, '0.3.0', path);
  t.deepEqual(read('mock/package.json').dependencies, { '@tillhook/sdk': '0.3.0', yaml: '^2.9.1' });
  t.deepEqual(read('server/package.json').dependencies, { '@tillhook/sdk': '*' });
  t.deepEqual(read('package-lock.json').packages, {
    '': { version: '0.3.0' },
    sdk: { version: '0.3.0' },
    mock: { version: '0.3.0', dependencies: { '@tillhook/sdk': '0.3.0' } },
    server: { version: '0.3.0', dependencies: { '@tillhook/sdk': '*' } },
    'node_modules/yaml': { version: '2.9.1' },
  });
});

test('the published packages have the URL of the repository, and the other packages do not', (t) => {
  const texts = manifestTexts(repository(t), '0.2.0');

  const { version: _version, ...sdk } = JSON.parse(texts['sdk/package.json'] ?? '');
  t.deepEqual(sdk, {
    name: '@tillhook/sdk',
    homepage: 'https://git.example/shop/pay#readme',
    bugs: { url: 'https://git.example/shop/pay/issues' },
    repository: { type: 'git', url: address, directory: 'sdk' },
  });
  t.is(JSON.parse(texts['mock/package.json'] ?? '').repository.directory, 'mock');
  t.is(JSON.parse(texts['server/package.json'] ?? '').repository, undefined);
});

test('a package has changed when one of its files has changed since the commit of the released contract', async (t) => {
  const root = repository(t);
  write(root, { 'sdk/src/client.ts': 'one', 'openapi/released/openapi.yaml': 'one' });
  commit(root);
  t.deepEqual(await changedFiles(root, 'sdk'), []);

  write(root, { 'sdk/src/client.ts': 'two', 'server/src/main.ts': 'two' });
  commit(root);

  t.deepEqual(await changedFiles(root, 'sdk'), ['sdk/src/client.ts']);
  t.deepEqual(await changedFiles(root, 'mock'), []);
});

test('a new version in package.json does not count as a change of the package, but a new dependency does', async (t) => {
  const root = repository(t);
  write(root, { 'openapi/released/openapi.yaml': 'one', 'sdk/CHANGELOG.md': 'one' });
  commit(root);

  write(root, { ...manifestTexts(root, '0.2.0') });
  commit(root, 'openapi/released/openapi.yaml');
  write(root, { ...manifestTexts(root, '0.3.0'), 'sdk/CHANGELOG.md': 'two' });
  t.deepEqual(await changedFiles(root, 'mock'), []);
  t.deepEqual(await changedFiles(root, 'sdk'), []);

  const { dependencies, ...mock } = JSON.parse(manifestTexts(root, '0.3.0')['mock/package.json'] ?? '');
  write(root, {
    'mock/package.json': JSON.stringify({ ...mock, dependencies: { ...dependencies, ms: '2' } }, null, 2),
  });
  t.deepEqual(await changedFiles(root, 'mock'), ['mock/package.json']);
});

test('an uncommitted release is an error, because the next release could not find the changes since then', async (t) => {
  const root = repository(t);
  write(root, { 'openapi/released/openapi.yaml': 'one' });
  commit(root);

  write(root, { 'openapi/released/openapi.yaml': 'two', 'notes.txt': 'new' });

  await t.throwsAsync(changedFiles(root, 'sdk'), { message: /openapi\/released has changes/ });
  t.deepEqual(await uncommittedFiles(root), ['openapi/released/openapi.yaml', 'notes.txt']);
});

function repository(t: ExecutionContext): string {
  const root = mkdtempSync(join(tmpdir(), 'tillhook-release-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  const texts = Object.entries(files).map(([path, content]) => [path, `${JSON.stringify(content, null, 2)}\n`]);
  write(root, Object.fromEntries(texts));
  git(root, 'init', '--quiet');
  return root;
}

function write(root: string, texts: Record<string, string>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A change of the file `touched` makes the commit a release. */
function commit(root: string, touched?: string): void {
  if (touched) write(root, { [touched]: 'another release' });
  git(root, 'add', '--all');
  git(root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message=A change');
}

function git(root: string, ...args: string[]): void {
  execFileSync('git', ['-C', root, ...args]);
}
