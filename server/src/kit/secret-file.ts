import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function readOrCreateSecret(file: string, create: () => string): string {
  if (!existsSync(file)) {
    makeFolder(dirname(file));
    // The file is written under another name and then renamed, so that a killed process leaves no incomplete secret.
    writeFileSync(`${file}.new`, create(), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Node's option `recursive` never returns for a folder in `/proc`, because Linux reports existing folders there as
 * missing.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
