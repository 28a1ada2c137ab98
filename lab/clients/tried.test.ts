import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { fingerprintOf, type Inputs, keepTried, triedAt } from './tried.ts';

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
  test(`after a change of ${what}, the clients run again`, (t) => {
    t.not(fingerprintOf({ ...inputs, ...changed }), fingerprintOf(inputs));
  });
}

test('the clients do not run again when a folder lists its files in a different order', (t) => {
  const files = { 'programs/hey_api.ts.txt': 'two', 'clients.ts': 'one' };

  t.is(fingerprintOf({ ...inputs, files }), fingerprintOf(inputs));
});

test('only the inputs of a run in which all clients worked count as tried', (t) => {
  const cache = mkdtempSync(join(tmpdir(), 'tillhook-tried-'));
  t.teardown(() => rmSync(cache, { recursive: true }));
  const [sha256, other] = [fingerprintOf(inputs), fingerprintOf({ ...inputs, documents: [] })];
  t.is(triedAt(cache, sha256), null);

  keepTried(cache, sha256);

  t.regex(triedAt(cache, sha256) ?? '', /^\d{4}-\d{2}-\d{2}T/);
  t.is(triedAt(cache, other), null);
});
