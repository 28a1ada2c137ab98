import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the program that the variable `HAPROXY` names, or else the installed one. */
export function findHaproxy(): string | undefined {
  if (process.env.HAPROXY) return process.env.HAPROXY;
  // Debian installs it in a directory that is on the PATH of administrators only.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'haproxy')).find((path) => existsSync(path));
}
