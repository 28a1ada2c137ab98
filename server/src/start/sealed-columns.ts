/** `tillhook secrets reencrypt` encrypts the values of these columns again with a new master key. */
import type { SealedColumn } from '../platform/database/reencrypt.ts';

const id = { id: 'uuid' } as const;

export const sealedColumns: readonly SealedColumn[] = [
  { holds: 'signing secrets', table: 'webhook_endpoint', key: id, owner: 'id::text', column: 'sealed_secret' },
  {
    holds: 'staged signing secrets',
    table: 'webhook_endpoint',
    key: id,
    owner: 'id::text',
    column: 'secret_rotation',
    path: ['next', 'sealed'],
  },
  {
    holds: 'replaced signing secrets',
    table: 'webhook_endpoint',
    key: id,
    owner: 'id::text',
    column: 'secret_rotation',
    path: ['previous', 'sealed'],
  },
  { holds: 'two-step secrets', table: 'dashboard_user', key: id, owner: 'id::text', column: 'two_step_secret' },
  {
    holds: 'two-step secrets to confirm',
    table: 'dashboard_user',
    key: id,
    owner: 'id::text',
    column: 'pending_secret',
  },
  { holds: 'account numbers', table: 'transfer', key: id, owner: 'id::text', column: 'sealed_account_number' },
  { holds: 'mails', table: 'mail', key: id, owner: 'id::text', column: 'sealed_values' },
  {
    holds: 'answers to requests with an Idempotency-Key',
    table: 'idempotency_key',
    key: { merchant_id: 'uuid', mode: 'text', key: 'text' },
    // Must have the format of `ownerOf` in `operation/idempotency.ts`.
    owner: "merchant_id || ':' || mode || ':' || key",
    column: 'response',
  },
];
