import type { WriteContext } from '../../context.ts';
import { type CommandAction, noteOperatorAct } from '../../people/audit/audit.service.ts';
import type { ApiKey } from '../../people/keys/api-key.entity.ts';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  type NewApiKey,
  type Permissions,
  revokeApiKey,
  rollApiKey,
} from '../../people/keys/api-keys.service.ts';
import { type Overlap, overlapMsOf } from '../arguments.ts';
import type { Report } from '../report.ts';
import { chooseMerchant } from './choose-merchant.ts';
import { keyRecord, keyTable, shownKey } from './key-record.ts';

export async function create(context: WriteContext, { merchant, ...permissions }: Permissions & { merchant?: string }) {
  const owner = await chooseMerchant(context, merchant);
  const made = createApiKey(context, owner, permissions);
  note(context, 'createApiKey', made.apiKey);
  const may = permissions.scopes ? `is limited to ${permissions.scopes.join(', ')}` : 'may do everything';
  return reportNewKey(context, made, `This ${permissions.mode} key of ${owner.name} ${may}.`);
}

export async function list(context: WriteContext, { merchant }: { merchant?: string }): Promise<Report> {
  const now = context.clock.now();
  const apiKeys = await listApiKeys(context, merchant);
  const record = apiKeys.map((apiKey) => keyRecord(apiKey, now));
  return apiKeys.length === 0 ? { record, note: 'There are no API keys.' } : { record, answer: keyTable(apiKeys, now) };
}

export async function roll(
  context: WriteContext,
  { which, overlap }: { which: string; overlap?: Overlap },
): Promise<Report> {
  const old = await getApiKey(context, which);
  const made = rollApiKey(context, old, overlapMsOf(overlap));
  note(context, 'rollApiKey', old);
  return reportNewKey(
    context,
    made,
    `${shownKey(old)} ${endOf(old, context)}. Its successor has the same scopes and mode.`,
  );
}

export async function revoke(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const apiKey = await getApiKey(context, which);
  revokeApiKey(context, apiKey);
  note(context, 'revokeApiKey', apiKey);
  const message = `${shownKey(apiKey)} of ${apiKey.merchant.name} is revoked: it is refused from now on.`;
  return { record: keyRecord(apiKey, context.clock.now()), note: message };
}

function note(context: WriteContext, action: CommandAction, { id: subject, merchant, mode }: ApiKey): void {
  noteOperatorAct(context, { merchantId: merchant.id, mode, action, subject });
}

function reportNewKey(context: WriteContext, { apiKey, key }: NewApiKey, message: string): Report {
  const record = { ...keyRecord(apiKey, context.clock.now()), key };
  return { record, answer: key, note: `${message}\nThe new key is shown only now. Its id is ${apiKey.id}.` };
}

function endOf({ expiresAt }: ApiKey, { clock }: WriteContext): string {
  const isOver = !expiresAt || expiresAt.getTime() <= clock.now().getTime();
  return isOver ? 'has ended' : `works until ${expiresAt.toISOString()}`;
}
