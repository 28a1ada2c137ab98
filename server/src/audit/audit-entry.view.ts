import type { AuditEntry as AuditEntryValue } from '@tillhook/openapi';
import type { AuditEntry } from './audit-entry.entity.ts';

export function auditEntryView({ id, action, userEmail, mode, subject, createdAt }: AuditEntry): AuditEntryValue {
  return {
    id,
    action,
    actor: userEmail ? { type: 'user', email: userEmail } : { type: 'operator', email: null },
    mode: mode ?? null,
    subject: subject ?? null,
    createdAt: createdAt.toISOString(),
  };
}
