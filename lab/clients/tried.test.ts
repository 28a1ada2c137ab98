import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { fingerprintOf, hashIn, type Inputs, isTried } from './tried.ts';

const inputs: Inputs = {
  documents: ['{"openapi":"3.1.0"}', '{"openapi":"3.0.3"}'],
  generators: [{ name: 'Go, oapi-codegen', options: ['-generate', 'models'] }],
  files: { 'clients.ts': 'one', 'programs/hey_api.ts.txt': 'two' },
};

const changes: [what: string, changed: Partial<Inputs>][] = [
  ['the served document', { documents: ['{"openapi":"3.1.1"}', '{"openapi":"3.0.3"}'] }],
  ['the served document in OpenAPI 3.0', { documents: ['{"openapi":"3.1.0"}', '{"openapi":"3.0.4"}'] }],
  ['an option of a generator', { generators: [{ name: 'Go, oapi-codegen', options: ['-generate', 'client'] }] }],
  ['a program', { files: { ...inputs.files, 'programs/hey_api.ts.txt': 'three' } }],
];

for (const [what, changed] of changes) {
  test(`a change of ${what} asks for another run of the clients`, (t) => {
    t.not(fingerprintOf({ ...inputs, ...changed }), fingerprintOf(inputs));
  });
}

test('the order in which a folder lists its files asks for no run', (t) => {
  const files = { 'programs/hey_api.ts.txt': 'two', 'clients.ts': 'one' };

  t.is(fingerprintOf({ ...inputs, files }), fingerprintOf(inputs));
});

test('only the hash that the last run wrote counts as tried', (t) => {
  const { sha256 } = JSON.parse(readFileSync(new URL('./tried.json', import.meta.url), 'utf8'));

  t.true(isTried(sha256));
  t.false(isTried('0'.repeat(64)));
});

test('a file with two versions of the hash, as Git leaves it after a conflict, counts as not tried', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-tried-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'one.json'), '{"sha256": "ab"}');
  writeFileSync(join(folder, 'two.json'), '{\n<<<<<<< HEAD\n"sha256": "ab"\n=======\n"sha256": "cd"\n>>>>>>> other\n}');

  t.is(hashIn(join(folder, 'one.json')), 'ab');
  t.is(hashIn(join(folder, 'two.json')), null);
  t.is(hashIn(join(folder, 'none.json')), null);
});
