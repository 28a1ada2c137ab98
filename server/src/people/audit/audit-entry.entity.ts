import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    /** Null for an action that concerns both modes. */
    mode: p.text().$type<Mode>().nullable(),
    /** The name of the operation, also when a page or a command did the same. */
    action: p.text(),
    /** The id or reference of what was changed; null when it was the merchant itself. */
    subject: p.text().nullable(),
    /** The user's email at that time, because users may be removed later. Null for an operator. */
    userEmail: p.text().nullable(),
    /** The email of an operator who acted in the dashboard. Merchants cannot see it. */
    operatorEmail: p.text().nullable(),
    /** The network address of the caller; null for a command. */
    address: p.text().nullable(),
    browser: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});

/** An action of a person that the merchant may have to account for. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
