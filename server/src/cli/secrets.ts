import type { Command } from 'commander';
import { dryRunOption, example } from './arguments.ts';
import type { Actions } from './perform.ts';

export function addSecretCommands(program: Command, { inSteps }: Actions): void {
  const secrets = program
    .command('secrets')
    .description('what the service stores encrypted')
    .addHelpText('after', example('tillhook secrets reencrypt --dry-run'));
  secrets
    .command('reencrypt')
    .description(
      'seal every stored secret with the first of MASTER_KEYS, while the service runs. First give every process the ' +
        'new key as the second one, then as the first one; run this; then take the old key away. It can be stopped ' +
        'and run again. Exits with 1 when the key of a secret is missing',
    )
    .addOption(dryRunOption('count the secrets by key, and change nothing'))
    .addHelpText('after', example('tillhook secrets reencrypt --dry-run'))
    .action(inSteps(() => import('./work/secrets.ts'), 'reencrypt', { seals: true, takesLong: true }));
}
