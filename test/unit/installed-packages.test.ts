/** See docs/decisions/tests.md, "The lock file does not say on which Node packages run". */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { satisfies } from 'semver';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'));

test('every installed package accepts the version of Node that npm installs here', (t) => {
  const paths = Object.keys(read('package-lock.json').packages).filter((path) => path.includes('node_modules/'));
  // Packages for other platforms are not installed.
  const installed = paths.map((path) => `${path}/package.json`).filter((path) => existsSync(root + path));
  const refusing = installed.filter((path) => !satisfies(process.version, read(path).engines?.node ?? '*'));

  t.deepEqual(refusing, []);
  t.true(installed.length > 500);
});
