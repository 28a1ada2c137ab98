/**
 * Without stripped types in Node's compile cache, the compiler takes a fifth of the processor time of a small test
 * file. This program is separate, because a process that loads modules in this way cannot run the modules.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testsFolder } from './commands.ts';

const cwd = join(testsFolder, '..');
const files = globSync('{mock,openapi,sdk,server/src,test}/**/*.ts', { cwd, exclude: ['**/node_modules', '**/dist'] });
const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(cwd, file)).href)};`);
// Node compiles a CommonJS module only when it runs the module, so this load only strips types.
registerHooks({
  load: (url, context, next) =>
    url.endsWith('.ts')
      ? { format: 'commonjs-typescript', source: readFileSync(new URL(url)), shortCircuit: true }
      : next(url, context),
});
// The data URL has no export `nothing`, so the import fails before any module runs.
const program = `import { nothing } from 'data:text/javascript,'; ${imports.join('')}`;
await import(`data:text/javascript,${encodeURIComponent(program)}`).catch((error) => {
  if (!(error instanceof SyntaxError)) throw error;
});
