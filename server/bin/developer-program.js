import { existsSync } from 'node:fs';
// Older versions of Node do not export `registerHooks`, so a named import of it would be a syntax error there.
import nodeModule from 'node:module';

/** Choice: `deliveries` is missing here, because `tillhook deliveries` is the operator's command for all merchants. */
export const developerCommands = ['listen', 'trigger', 'advance', 'verify', 'events', 'resend', 'replay'];

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

/** Has the effect of `--conditions=@tillhook/source` in a process that is already running. */
function readSources() {
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['@tillhook/source', ...context.conditions] }),
  });
}
