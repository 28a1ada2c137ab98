import { ConfigError, loadConfig } from '../config/config.ts';
import { StartError } from '../kit/errors.ts';
import { openCommandContext } from './command-context.ts';
import { seedDemo } from './seed.ts';

try {
  console.log(await run(process.argv[2]));
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(command: string | undefined): Promise<string> {
  if (command !== 'migrate' && command !== 'seed') throw new StartError('Use one of: migrate, seed');
  await using started = new AsyncDisposableStack();
  const config = { ...loadConfig(), migrateOnStart: true };
  const { context, directAccess } = await openCommandContext({ config, started });
  if (command === 'migrate') return 'The database is up to date.';
  const demo = await seedDemo(context, directAccess);
  if (demo) return `test key ${demo.testKey}\nsign in ${demo.email} ${demo.password}`;
  return 'There is a merchant already; nothing was seeded.';
}
