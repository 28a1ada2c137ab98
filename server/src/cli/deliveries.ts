import { type Command, Option } from 'commander';
import type { Context, WriteContext } from '../context.ts';
import type { Mode } from '../kit/mode.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import type { ReplayRequest } from '../webhooks/log/resend.service.ts';
import { dryRunOption, example, fromOption, merchantOption, modeOption, parseId, toOption } from './arguments.ts';
import { type Moment, parseMoment, timeOf } from './moment.ts';
import type { Actions } from './perform.ts';
import { listReport, maxListed, type Progress, type Report } from './report.ts';

const endpointOption = () =>
  new Option('--endpoint <id>', 'only of this webhook endpoint, as deliveries list --json shows it').argParser(parseId);

export function addDeliveryCommands(program: Command, { inTransaction, inSteps }: Actions): void {
  const deliveries = program
    .command('deliveries')
    .description('webhooks that were sent, or have to be')
    .addHelpText('after', example('tillhook deliveries list --mode live --status failed'));
  deliveries
    .command('list')
    .description(`show the newest ${maxListed} deliveries of a merchant`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(endpointOption())
    .addOption(
      new Option('--status <status>', 'only deliveries with this status').choices([
        'pending',
        'delivered',
        'failed',
        'skipped',
      ]),
    )
    .addOption(fromOption())
    .addOption(toOption())
    .addHelpText('after', example('tillhook deliveries list --mode live --status failed --from 2026-11-01'))
    .action(inTransaction(list, { takesLong: true }));
  deliveries
    .command('replay')
    .description(
      'send again what an endpoint missed, or all active endpoints of a merchant in one mode, each as a new delivery; ' +
        'never takes what was sent again before',
    )
    .addOption(endpointOption().conflicts(['merchant', 'mode']))
    .addOption(modeOption().makeOptionMandatory(false))
    .addOption(merchantOption())
    .addOption(
      new Option('--since <time>', 'only what was created then or later: a time, or how long ago, such as 2h')
        .argParser(parseMoment)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--until <time>', 'only what was created before: a time, or how long ago')
        .argParser(parseMoment)
        .default(undefined, 'now'),
    )
    .addOption(
      new Option('--status <status>', 'only missed deliveries with this status')
        .choices(['failed', 'skipped'])
        .default(undefined, 'both'),
    )
    .addOption(dryRunOption('count the deliveries, and send nothing'))
    .addHelpText('after', example('tillhook deliveries replay --mode live --since 2h --dry-run'))
    .hook('preAction', (_parent, command) => {
      const { endpoint, mode } = command.opts();
      if (!endpoint && !mode) command.error("error: name --endpoint, or the --mode of a merchant's endpoints");
    })
    .action(inSteps(replay, { takesLong: true }));
}

const services = async () => ({
  ...(await import('./choose-merchant.ts')),
  ...(await import('../people/audit/audit.service.ts')),
  ...(await import('../people/merchants/merchants.service.ts')),
  ...(await import('../platform/database/transaction.ts')),
  ...(await import('../webhooks/endpoints/endpoints.service.ts')),
  ...(await import('../webhooks/log/deliveries.service.ts')),
  ...(await import('../webhooks/log/delivery.view.ts')),
  ...(await import('../webhooks/log/resend.service.ts')),
});

interface ListOptions {
  mode: Mode;
  merchant?: string;
  endpoint?: string;
  status?: 'pending' | 'delivered' | 'failed' | 'skipped';
  from?: string;
  to?: string;
}

async function list(
  context: WriteContext,
  { mode, merchant, endpoint, status, from, to }: ListOptions,
): Promise<Report> {
  const { chooseMerchant, deliveryView, listDeliveries, ownedBy } = await services();
  const owned = ownedBy(context, await chooseMerchant(context, merchant), mode);
  const filter = { ...(from && { from }), ...(to && { to }), ...(endpoint && { webhookId: endpoint }) };
  const page = { limit: maxListed, offset: 0 };
  const { records, total } = await listDeliveries(owned, { ...filter, ...(status && { status: [status] }) }, page);
  const record = records.map(deliveryView);
  if (record.length === 0) return { record, note: 'No delivery matches.' };
  const rows = record.map((each) => [
    each.id,
    each.event,
    each.reference ?? '',
    each.status,
    String(each.attemptCount),
    each.url,
    each.createdAt,
  ]);
  const answer = { headings: ['ID', 'EVENT', 'REFERENCE', 'STATUS', 'ATTEMPTS', 'ADDRESS', 'CREATED'], rows };
  return listReport(record, answer, total);
}

interface ReplayOptions {
  endpoint?: string;
  merchant?: string;
  mode?: Mode;
  since: Moment;
  until?: Moment;
  status?: 'failed' | 'skipped';
  dryRun?: boolean;
}

interface Replayed {
  webhookId: string;
  url: string;
  merchantId: string;
  mode: Mode;
  isActive: boolean;
  count: number;
}

/** Each batch of replays is a separate transaction, so an interrupted command keeps its completed batches. */
async function replay(
  context: Context,
  { since, until = { agoMs: 0 }, status, dryRun = false, ...which }: ReplayOptions,
  progress: Progress,
): Promise<Report> {
  const { countMissed, inTransaction } = await services();
  const now = context.clock.now();
  const from = timeOf(since, now);
  // The end of the period is fixed before the first batch: a later batch could otherwise replay deliveries that an
  // earlier batch created.
  const request = { since: from, until: timeOf(until, now), ...(status && { statuses: [status] }) };
  const replayed: Replayed[] = [];
  for (const endpoint of await inTransaction(context, (tx) => endpointsOf(tx, which))) {
    const count = dryRun
      ? await inTransaction(context, (tx) => countMissed(tx, endpoint.id, request))
      : await replayAll(context, { endpoint, request }, progress);
    const { id: webhookId, url, merchantId, mode, isActive } = endpoint;
    replayed.push({ webhookId, url, merchantId, mode, isActive, count });
  }
  const record = { dryRun, since: from, until: request.until, endpoints: replayed };
  if (replayed.length === 0) return { record, note: 'The merchant has no webhook endpoint in this mode.' };
  const rows = replayed.map((each) => [
    each.webhookId,
    each.url,
    each.isActive ? 'active' : 'inactive',
    String(each.count),
  ]);
  const headings = ['ENDPOINT', 'ADDRESS', 'STATUS', dryRun ? 'MISSED' : 'SENT AGAIN'];
  return { record, answer: { headings, rows }, note: replayNote(replayed, dryRun) };
}

async function endpointsOf(
  tx: WriteContext,
  { endpoint, merchant, mode }: Pick<ReplayOptions, 'endpoint' | 'merchant' | 'mode'>,
): Promise<WebhookEndpoint[]> {
  const { chooseMerchant, getEndpointOfAnyMerchant, listWebhookEndpoints, ownedBy } = await services();
  if (endpoint) return [await getEndpointOfAnyMerchant(tx, endpoint)];
  return listWebhookEndpoints(ownedBy(tx, await chooseMerchant(tx, merchant), mode ?? 'test'));
}

async function replayAll(
  context: Context,
  { endpoint, request }: { endpoint: WebhookEndpoint; request: ReplayRequest },
  progress: Progress,
): Promise<number> {
  const { getMerchant, inTransaction, noteOperatorAct, ownedBy, replayDeliveries } = await services();
  const { id, merchantId, mode, url } = endpoint;
  let total = 0;
  for (let hasMore = true; hasMore; ) {
    const replayed = await inTransaction(context, async (tx) => {
      const owned = ownedBy(tx, await getMerchant(tx, merchantId), mode);
      const made = await replayDeliveries(owned, id, request);
      if (made.count > 0) noteOperatorAct(tx, { merchantId, mode, action: 'replayDeliveries', subject: id });
      return made;
    });
    total += replayed.count;
    hasMore = replayed.hasMore;
    progress(`${total} deliveries to ${url} are sent again`);
  }
  return total;
}

function replayNote(replayed: readonly Replayed[], dryRun: boolean): string {
  const count = replayed.reduce((sum, each) => sum + (each.isActive ? each.count : 0), 0);
  const inactive = replayed.filter(({ isActive }) => !isActive);
  const deliveries = count === 1 ? '1 delivery' : `${count} deliveries`;
  return [
    dryRun
      ? `Nothing was sent. Without --dry-run, ${deliveries} would be sent again.`
      : `${deliveries} ${count === 1 ? 'is' : 'are'} sent again, to ${replayed.length - inactive.length} of ${replayed.length} endpoints.`,
    ...inactive.map(({ url }) => `${url} is inactive, so nothing is sent to it: its merchant enables it first.`),
  ].join('\n');
}
