/**
 * `npm run release`: finds the next version, makes the tarballs of the SDK and the mock, and tries them as their users
 * install them. It publishes nothing: that needs a login, and a person.
 * See docs/decisions/sdk.md, "A person publishes what the release has tried".
 */
import { Command } from 'commander';
import { ReleaseRefused } from './plan.ts';
import { release } from './release.ts';

const program = new Command('npm run release --')
  .description('Makes the tarballs of @tillhook/sdk and @tillhook/mock, and tries them as their users install them.')
  .option('--dry-run', 'write only the tarballs, also when there are changes that are not committed')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    '\nExample:\n  npm run release -- --dry-run\n\nExit code: 0 done, 1 refused or failed, 2 wrong arguments.',
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

try {
  await release({ isDryRun: program.parse().opts().dryRun === true });
} catch (error) {
  if (!(error instanceof ReleaseRefused)) throw error;
  process.stderr.write(`No release: ${error.message}\n`);
  process.exitCode = 1;
}
