import { type Command, InvalidArgumentError, Option } from 'commander';
import ms from 'ms';
import type { WriteContext } from '../context.ts';
import { type Scope, scopes } from '../kit/permissions.ts';
import type { CommandAction } from '../people/audit/audit.service.ts';
import type { ApiKey } from '../people/keys/api-key.entity.ts';
import type { NewApiKey, Permissions } from '../people/keys/api-keys.service.ts';
import { example, merchantOption, modeOption, parseName } from './arguments.ts';
import type { Actions } from './perform.ts';
import type { Report } from './report.ts';
import type { Table } from './table.ts';

const overlaps = ['0', '1h', '24h', '7d'] as const;

export function addKeyCommands(program: Command, { inTransaction }: Actions): void {
  const keys = program.command('keys').description('API keys').addHelpText('after', example('tillhook keys list'));
  keys
    .command('create')
    .description('create a key and print it; it cannot be shown again')
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(new Option('--scopes <scopes>', `some of ${scopes.join(',')}; all when left out`).argParser(parseScopes))
    .addOption(new Option('--name <name>', 'what the key is for').argParser(parseName))
    .addHelpText('after', example("tillhook keys create --mode test --name 'Web shop'"))
    .action(inTransaction(create));
  keys
    .command('list')
    .description('show the keys, including revoked and expired ones')
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook keys list --json'))
    .action(inTransaction(list));
  keys
    .command('roll')
    .description('replace a key and print its successor')
    .argument('<key>', 'its id or prefix, as keys list shows it')
    .addOption(
      new Option('--overlap <time>', 'how long the old key still works').choices(overlaps).default(undefined, '24h'),
    )
    .addHelpText('after', example('tillhook keys roll sk_test_a1b2 --overlap 24h'))
    .action(inTransaction(roll));
  keys
    .command('revoke')
    .description('revoke a key; it stops working at once')
    .argument('<key>', 'its id or prefix, as keys list shows it')
    .addHelpText('after', example('tillhook keys revoke sk_test_a1b2'))
    .action(inTransaction(revoke));
}

function parseScopes(text: string): Scope[] {
  const wanted = [...new Set(text.split(',').map((scope) => scope.trim()))];
  const isEachKnown = wanted.every((scope) => scopes.some((known) => known === scope));
  if (!isEachKnown) throw new InvalidArgumentError(`Allowed choices are ${scopes.join(', ')}, joined by commas.`);
  return wanted as Scope[];
}

type Overlap = (typeof overlaps)[number];

export const overlapMsOf = (overlap: Overlap | undefined) => overlap && ms(overlap);

const services = async () => ({
  ...(await import('./choose-merchant.ts')),
  ...(await import('../people/audit/audit.service.ts')),
  ...(await import('../people/keys/api-keys.service.ts')),
});

async function create(context: WriteContext, { merchant, ...permissions }: Permissions & { merchant?: string }) {
  const { chooseMerchant, createApiKey, noteOperatorAct, notifyOfKey } = await services();
  const owner = await chooseMerchant(context, merchant);
  const made = createApiKey(context, owner, permissions);
  noteOperatorAct(context, actOn(made.apiKey, 'createApiKey'));
  await notifyOfKey(context, made.apiKey, 'created');
  const may = permissions.scopes ? `is limited to ${permissions.scopes.join(', ')}` : 'may do everything';
  return reportNewKey(context, made, `This ${permissions.mode} key of ${owner.name} ${may}.`);
}

async function list(context: WriteContext, { merchant }: { merchant?: string }): Promise<Report> {
  const { listApiKeys } = await services();
  const now = context.clock.now();
  const apiKeys = await listApiKeys(context, merchant);
  const record = apiKeys.map((apiKey) => keyRecord(apiKey, now));
  return apiKeys.length === 0 ? { record, note: 'There are no API keys.' } : { record, answer: keyTable(apiKeys, now) };
}

async function roll(context: WriteContext, { which, overlap }: { which: string; overlap?: Overlap }): Promise<Report> {
  const { getApiKey, noteOperatorAct, notifyOfKey, rollApiKey } = await services();
  const old = await getApiKey(context, which);
  const made = rollApiKey(context, old, overlapMsOf(overlap));
  noteOperatorAct(context, actOn(old, 'rollApiKey'));
  await notifyOfKey(context, old, 'rolled');
  return reportNewKey(
    context,
    made,
    `${shownKey(old)} ${endOf(old, context)}. Its successor has the same scopes and mode.`,
  );
}

async function revoke(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const { getApiKey, noteOperatorAct, notifyOfKey, revokeApiKey } = await services();
  const apiKey = await getApiKey(context, which);
  const wasRevoked = apiKey.revokedAt != null;
  revokeApiKey(context, apiKey);
  noteOperatorAct(context, actOn(apiKey, 'revokeApiKey'));
  if (!wasRevoked) await notifyOfKey(context, apiKey, 'revoked');
  const message = `${shownKey(apiKey)} of ${apiKey.merchant.name} is revoked: it is refused from now on.`;
  return { record: keyRecord(apiKey, context.clock.now()), note: message };
}

function actOn({ id: subject, merchant, mode }: ApiKey, action: CommandAction) {
  return { merchantId: merchant.id, mode, action, subject };
}

function reportNewKey(context: WriteContext, { apiKey, key }: NewApiKey, message: string): Report {
  const record = { ...keyRecord(apiKey, context.clock.now()), key };
  return { record, answer: key, note: `${message}\nThe new key is shown only now. Its id is ${apiKey.id}.` };
}

function endOf({ expiresAt }: ApiKey, { clock }: WriteContext): string {
  const isOver = !expiresAt || expiresAt.getTime() <= clock.now().getTime();
  return isOver ? 'has ended' : `works until ${expiresAt.toISOString()}`;
}

const headings = ['ID', 'KEY', 'MODE', 'STATUS', 'LAST USED', 'MERCHANT', 'SCOPES', 'NAME'];

function keyRecord(apiKey: ApiKey, now: Date) {
  const { id, merchant, name, mode, prefix, last4, scopes, createdAt, expiresAt, revokedAt, lastUsedAt, rolledFrom } =
    apiKey;
  return {
    id,
    merchant: { id: merchant.id, name: merchant.name },
    name: name ?? null,
    mode,
    prefix,
    last4,
    scopes: scopes ?? null,
    status: statusOf(apiKey, now),
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
    rolledFrom: rolledFrom ?? null,
  };
}

function keyTable(apiKeys: readonly ApiKey[], now: Date): Table {
  const rows = apiKeys.map((apiKey) => [
    apiKey.id,
    shownKey(apiKey),
    apiKey.mode,
    statusOf(apiKey, now),
    apiKey.lastUsedAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
    apiKey.merchant.name,
    apiKey.scopes?.join(',') ?? 'all',
    apiKey.name ?? '',
  ]);
  return { headings, rows };
}

function shownKey({ prefix, last4 }: ApiKey): string {
  return `${prefix}…${last4}`;
}

function statusOf(apiKey: ApiKey, now: Date): 'active' | 'rolled' | 'expired' | 'revoked' {
  if (apiKey.revokedAt) return 'revoked';
  if (apiKey.isExpired(now)) return 'expired';
  return apiKey.expiresAt ? 'rolled' : 'active';
}
