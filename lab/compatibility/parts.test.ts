import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPublishedCompatibility } from '@tillhook/docs/figures/postgres-versions.ts';
import test from 'ava';
import { everyPart, shortParts } from './parts.ts';

test('the published figures are those of a run of all parts', (t) => {
  t.deepEqual(readPublishedCompatibility().files, everyPart);
});

test('each part is a file or a folder of tests', (t) => {
  const paths = [...everyPart, ...shortParts].map((part) => part.replace(/^!/, ''));
  const missing = paths.filter((path) => !existsSync(join(import.meta.dirname, '../../test', path)));

  t.deepEqual(missing, []);
  t.true(paths.length > 20);
});
