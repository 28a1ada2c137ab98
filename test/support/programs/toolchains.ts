/** The programs that run code of each language. A language whose program is missing is skipped, and the run names it. */
import { findProgram } from './installed-programs.ts';

const toolchains = { Python: 'python3', Go: 'go', Java: 'javac', PHP: 'php', Ruby: 'ruby' };

/** The languages whose programs are not on this machine. TypeScript always runs. */
export function missingLanguages(): string[] {
  return Object.entries(toolchains).flatMap(([language, program]) => (findProgram(program) ? [] : [language]));
}
