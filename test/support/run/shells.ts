import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The shells for which there is completion, and that are not installed here. */
export function missingShells(): string[] {
  const directories = (process.env.PATH ?? '').split(delimiter);
  return ['bash', 'zsh', 'fish'].filter(
    (shell) => !directories.some((directory) => existsSync(join(directory, shell))),
  );
}
