import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Runs a developer's command, which is a part of the package @tillhook/mock. An installation of the server may be
 * without that package: the command needs a key and an address only, so it runs elsewhere as well.
 */
export async function runDeveloperProgram() {
  const program = findProgram();
  if (program === null) {
    process.stderr.write(
      "The developer's commands are in the package @tillhook/mock, which is not installed here.\n" +
        'The page /docs/developer-commands of the service says how to install it.\n',
    );
    process.exitCode = 1;
    return;
  }
  await import(program);
}

/** Returns the address of the program: of its source in the repository, where nothing needs to be built. */
function findProgram() {
  try {
    const folder = new URL('.', import.meta.resolve('@tillhook/mock/package.json'));
    const source = new URL('src/commands/developer.ts', folder);
    if (!existsSync(source)) return new URL('dist/commands/developer.mjs', folder).href;
    readSources();
    return source.href;
  } catch {
    return null;
  }
}

/** Does what `--conditions=@tillhook/source` of the npm scripts does, for a process that runs already. */
function readSources() {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['@tillhook/source', ...context.conditions] }),
  });
}
