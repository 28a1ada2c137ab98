/**
 * Removes the types from all source files, before most tests need them. Node keeps the result in its compile cache, so
 * no other process loads the compiler, which took a fifth of the processor time of a small test file after an install.
 * A process that has loaded modules in this way cannot run them, so this is a separate program.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testsFolder } from './commands.ts';

const cwd = join(testsFolder, '..');
const files = globSync('{mock,openapi,sdk,server/src,test}/**/*.ts', { cwd, exclude: ['**/node_modules', '**/dist'] });
const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(cwd, file)).href)};`);
// Node compiles CommonJS, and looks for its imports, only when it runs. So only the types are taken out.
registerHooks({
  load: (url, context, next) =>
    url.endsWith('.ts')
      ? { format: 'commonjs-typescript', source: readFileSync(new URL(url)), shortCircuit: true }
      : next(url, context),
});
// Nothing runs, because there is no such export.
const program = `import { nothing } from 'data:text/javascript,'; ${imports.join('')}`;
await import(`data:text/javascript,${encodeURIComponent(program)}`).catch((error) => {
  if (!(error instanceof SyntaxError)) throw error;
});
