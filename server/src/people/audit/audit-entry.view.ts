import type { AuditEntry as AuditEntryValue } from '@tillhook/openapi';
import type { CsvColumns } from '../../kit/csv.ts';
import type { AuditEntry } from './audit-entry.entity.ts';

export function auditEntryView(entry: AuditEntry): AuditEntryValue {
  const { id, action, userEmail, mode, subject, createdAt, address, browser } = entry;
  return {
    id,
    // `test/contract/headers-and-audit.test.ts` checks that the contract names every action.
    action: action as AuditEntryValue['action'],
    actor: userEmail ? { type: 'user', email: userEmail } : { type: 'operator', email: null },
    mode: mode ?? null,
    subject: subject ?? null,
    // Choice: merchants do not see the network address and the browser of an operator.
    address: (userEmail && address) || null,
    browser: (userEmail && browser) || null,
    createdAt: createdAt.toISOString(),
  };
}

export const auditColumns: CsvColumns<AuditEntryValue> = {
  id: ({ id }) => id,
  action: ({ action }) => action,
  'actor.type': ({ actor }) => actor.type,
  'actor.email': ({ actor }) => actor.email,
  mode: ({ mode }) => mode,
  subject: ({ subject }) => subject,
  address: ({ address }) => address,
  browser: ({ browser }) => browser,
  createdAt: ({ createdAt }) => createdAt,
};
