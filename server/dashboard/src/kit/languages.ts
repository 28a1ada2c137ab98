import type { Language } from './highlight.ts';

/** By the names of the languages in the documentation. */
const languages: Readonly<Record<string, Language>> = {
  Node: 'typescript',
  Shell: 'bash',
  TypeScript: 'typescript',
  Python: 'python',
  Go: 'go',
  Java: 'java',
  PHP: 'php',
  Ruby: 'ruby',
};

export function languageOf(name: string): Language | undefined {
  return languages[name];
}
