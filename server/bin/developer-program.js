import { existsSync } from 'node:fs';
// A Node that is too old for this command has no `registerHooks`, and must be able to read this file too.
import nodeModule from 'node:module';

/**
 * The developer's commands that `tillhook` runs.
 *
 * Choice: `deliveries` is not in this list, because `tillhook deliveries` is the operator's command, which lists and
 * replays the deliveries of every merchant. A developer uses `npm run deliveries`.
 */
export const developerCommands = ['listen', 'trigger', 'advance', 'verify', 'events', 'resend', 'replay'];

/**
 * Runs a developer's command, which is a part of the package @tillhook/mock. The package may be missing where the
 * server is installed: the command needs only an API key and the URL of the service, so it can also run on another
 * machine.
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

/** Returns the URL of the program. In the repository, it is the URL of the source, which does not have to be built. */
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

/**
 * Has the same effect as `--conditions=@tillhook/source` in the npm scripts, but in a process that is already running.
 */
function readSources() {
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['@tillhook/source', ...context.conditions] }),
  });
}
