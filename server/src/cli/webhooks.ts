import type { Command } from 'commander';
import { bodyFileOption, example, headersFileOption, parseId, receivedAtOption } from './arguments.ts';
import type { Actions } from './perform.ts';

const line = 'tillhook webhooks verify 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --headers headers.txt --body body.json';

export function addWebhookCommands(program: Command, { inTransaction }: Actions): void {
  const webhooks = program
    .command('webhooks')
    .description('webhooks as receivers got them')
    .addHelpText('after', example(line));
  webhooks
    .command('verify')
    .description(
      'say whether a captured webhook verifies with the stored secret of its endpoint, and if not, why; never shows ' +
        'the secret. Needs MASTER_KEYS',
    )
    .argument('<endpoint>', 'the id of the webhook endpoint', parseId)
    .addOption(headersFileOption())
    .addOption(bodyFileOption())
    .addOption(receivedAtOption())
    .addHelpText('after', example(line))
    .action(inTransaction(() => import('./work/webhooks.ts'), 'verify', { seals: true }));
}
