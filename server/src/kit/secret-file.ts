import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads a secret from a file that only its owner can read. Creates the secret when there is no such file. */
export function readOrCreateSecret(file: string, create: () => string): string {
  if (!existsSync(file)) {
    makeFolder(dirname(file));
    // Written under another name and then renamed, so that a kill leaves no incomplete secret.
    writeFileSync(`${file}.new`, create(), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Makes the folder and those above it. Node's own `recursive` never returns for a folder in `/proc`, where Linux says
 * that a folder which is there is missing.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
