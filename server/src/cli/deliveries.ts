import type { Command } from 'commander';
import {
  deliveryStatusOption,
  dryRunOption,
  endpointOption,
  example,
  fromOption,
  merchantOption,
  missedStatusesOption,
  modeOption,
  mostListed,
  sinceOption,
  toOption,
  untilOption,
} from './arguments.ts';
import type { Actions } from './perform.ts';

const work = () => import('./work/deliveries.ts');

export function addDeliveryCommands(program: Command, { inTransaction, inSteps }: Actions): void {
  const deliveries = program
    .command('deliveries')
    .description('webhooks that were sent, or have to be')
    .addHelpText('after', example('tillhook deliveries list --mode live --status failed'));
  deliveries
    .command('list')
    .description(`show the newest ${mostListed} deliveries of a merchant`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(endpointOption())
    .addOption(deliveryStatusOption())
    .addOption(fromOption())
    .addOption(toOption())
    .addHelpText('after', example('tillhook deliveries list --mode live --status failed --from 2026-11-01'))
    .action(inTransaction(work, 'list', { takesLong: true }));
  deliveries
    .command('replay')
    .description(
      'send again what an endpoint missed, or all active endpoints of a merchant in one mode, each as a new delivery; ' +
        'never takes what was sent again before',
    )
    .addOption(endpointOption().conflicts(['merchant', 'mode']))
    .addOption(modeOption().makeOptionMandatory(false))
    .addOption(merchantOption())
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(missedStatusesOption())
    .addOption(dryRunOption('count the deliveries, and send nothing'))
    .addHelpText('after', example('tillhook deliveries replay --mode live --since 2h --dry-run'))
    .hook('preAction', (_parent, command) => {
      const { endpoint, mode } = command.opts();
      if (!endpoint && !mode) command.error("error: name --endpoint, or the --mode of a merchant's endpoints");
    })
    .action(inSteps(work, 'replay', { takesLong: true }));
}
