/** The programs that run code of each language. A language whose program is missing is skipped, and the run names it. */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const toolchains: Record<string, string> = {
  TypeScript: process.execPath,
  Python: 'python3',
  Go: 'go',
  Java: 'javac',
  PHP: 'php',
  Ruby: 'ruby',
};

/** The languages whose programs are not on this machine. */
export function missingLanguages(): string[] {
  return Object.keys(toolchains).filter((language) => !isHere(toolchains[language] ?? ''));
}

function isHere(program: string): boolean {
  const folders = isAbsolute(program) ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
