/** The programs that run the samples of the page `Verify a signature`, which are written in five languages. */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

interface SignatureProgram {
  program: string;
  /** The name of the file with the sample. */
  file: string;
}

export const signaturePrograms: Record<string, SignatureProgram> = {
  Shell: { program: 'sh', file: 'verify.sh' },
  Python: { program: 'python3', file: 'verify.py' },
  PHP: { program: 'php', file: 'verify.php' },
  Ruby: { program: 'ruby', file: 'verify.rb' },
  Node: { program: process.execPath, file: 'verify.mjs' },
};

/** The languages whose programs are not on this machine. */
export function missingLanguages(): string[] {
  return Object.keys(signaturePrograms).filter((language) => !isHere(signaturePrograms[language]?.program ?? ''));
}

function isHere(program: string): boolean {
  const folders = isAbsolute(program) ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
