import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A secret that this machine made for itself and keeps in a file that only its owner can read. */
export function readOrCreateSecret(file: string, create: () => string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    // Written beside and moved, so that a kill leaves no half of one.
    writeFileSync(`${file}.new`, create(), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}
