/**
 * Starts a program of the laboratory, and first installs the packages that only the laboratory needs.
 * See docs/decisions/tests.md, "The laboratory has packages that nothing else needs".
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Locked {
  integrity?: string;
  optional?: boolean;
}

const lab = import.meta.dirname;

if (!isInstalled()) {
  console.error('Installing the packages of lab/package-lock.json, which only lab/ needs …');
  // Without `--prefix`, npm would use the prefix of the root, which is in the environment of an npm script.
  const { status } = spawnSync('npm', ['ci', '--prefix', lab, '--loglevel=error'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

const [program] = process.argv.splice(2, 1);
if (program) await import(pathToFileURL(join(lab, program)).href);

function isInstalled(): boolean {
  const wanted = packagesIn('package-lock.json');
  const present = packagesIn('node_modules/.package-lock.json');
  return Object.entries(wanted).every(
    ([path, { integrity, optional }]) => path === '' || optional || present[path]?.integrity === integrity,
  );
}

function packagesIn(lockFile: string): Record<string, Locked> {
  const path = join(lab, lockFile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}
