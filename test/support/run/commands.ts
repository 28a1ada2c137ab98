// See docs/decisions/tests.md, "A folder divides what is proven from what is exhaustive".
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const commands = {
  'test:fast': ['unit/**/*.test.ts'],
  test: ['**/*.test.ts', '!exhaustive/**'],
  'test:all': ['**/*.test.ts'],
} as const;

export type CommandName = keyof typeof commands;

export const testsFolder = join(import.meta.dirname, '../..');

export function testFiles(): string[] {
  const paths = globSync('**/*.test.ts', { cwd: testsFolder, exclude: ['**/node_modules'] });
  return paths.map((path) => path.replaceAll('\\', '/')).toSorted();
}

/** The first line of a file in `exhaustive/` is a sentence that says what the file adds. */
export function firstSentence(path: string): string {
  const [first = ''] = readFileSync(join(testsFolder, path), 'utf8').split('\n', 1);
  const sentence = /^\/\*\* (\S.*\.) \*\/$/.exec(first)?.[1];
  if (!sentence)
    throw new Error(`The first line of ${path} is not one sentence, such as: /** Every page in four looks. */`);
  return sentence;
}
