import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the program that the environment variable names, or else the installed one of this name. */
export function findProgram(name: string, variable?: string): string | undefined {
  const named = variable && process.env[variable];
  if (named) return named;
  // Debian installs some programs in directories that are on the PATH of administrators only.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

/** The shells for which there is completion, and that are not installed here. */
export function missingShells(): string[] {
  return ['bash', 'zsh', 'fish'].filter((shell) => !findProgram(shell));
}
