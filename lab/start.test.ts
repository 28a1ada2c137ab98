import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const lab = import.meta.dirname;

test('only the packages of lab/package.json take precedence over the packages of the root', (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(lab, 'package.json'), 'utf8'));
  const names = readdirSync(join(lab, 'node_modules')).filter((name) => !name.startsWith('.'));
  const installed = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(lab, 'node_modules', name)).map((part) => `${name}/${part}`) : [name],
  );

  t.deepEqual(installed.toSorted(), Object.keys(dependencies).toSorted());
});
