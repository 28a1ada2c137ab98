import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPublishedCompatibility } from '@tillhook/docs/figures/postgres-versions.ts';
import test from 'ava';
import { allTestFiles, shortTestFiles } from './test-files.ts';

test('the published results come from a run of all test files', (t) => {
  t.deepEqual(readPublishedCompatibility().files, allTestFiles);
});

test('each entry of allTestFiles and shortTestFiles is an existing file or folder of tests', (t) => {
  const paths = [...allTestFiles, ...shortTestFiles].map((file) => file.replace(/^!/, ''));
  const missing = paths.filter((path) => !existsSync(join(import.meta.dirname, '../../test', path)));

  t.deepEqual(missing, []);
  t.true(paths.length > 20);
});
