/**
 * Strips the types from all source files, before most tests need them. Node stores the result in its compile cache, so
 * that no other process loads the compiler, which took a fifth of the processor time of a small test file after an
 * install. This is a separate program, because a process that has loaded modules in this way cannot run them.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testsFolder } from './commands.ts';

const cwd = join(testsFolder, '..');
const files = globSync('{mock,openapi,sdk,server/src,test}/**/*.ts', { cwd, exclude: ['**/node_modules', '**/dist'] });
const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(cwd, file)).href)};`);
// Node compiles CommonJS and resolves its imports only when it runs, so this only strips types.
registerHooks({
  load: (url, context, next) =>
    url.endsWith('.ts')
      ? { format: 'commonjs-typescript', source: readFileSync(new URL(url)), shortCircuit: true }
      : next(url, context),
});
// The data URL has no such export, so none of the modules runs.
const program = `import { nothing } from 'data:text/javascript,'; ${imports.join('')}`;
await import(`data:text/javascript,${encodeURIComponent(program)}`).catch((error) => {
  if (!(error instanceof SyntaxError)) throw error;
});
