/** Opens the embedded database for a process, and ends its use with the process. */
import type { Config } from '../../config/config.ts';
import { StartError } from '../../kit/start-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

type Open = (config: Config) => Promise<EmbeddedPostgres>;

/** For a server. A command may use the database together with a server: `shareEmbeddedPostgres`. */
export function startEmbedded(onStep: ((text: string) => void) | undefined): Open {
  return ({ dataDir, databaseLimits: limits }) =>
    startEmbeddedPostgres(dataDir, {
      limits,
      onCreate: () => onStep?.(`A database is being created in ${dataDir}, which happens once and takes some seconds`),
    });
}

/**
 * Resolves to the address. The caller may do other things before it waits for it: `started` ends the database in any
 * case, and a failure is kept for the caller.
 */
export function openEmbedded(config: Config, started: AsyncDisposableStack, open: Open): Promise<string> {
  const opening = open(config);
  started.defer(async () => {
    const postgres = await opening.catch(() => null);
    await postgres?.stop();
  });
  const address = opening.then(
    ({ url }) => url,
    (cause: Error) => {
      throw new StartError(`The embedded database does not start: ${cause.message}`, { cause });
    },
  );
  address.catch(() => {});
  return address;
}
