import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    /** Null for an action that concerns both modes. */
    mode: p.text().$type<Mode>().nullable(),
    /** The operation's name, such as `rollApiKey`, also when a page or a command did the same as the operation. */
    action: p.text(),
    /** The id or the reference of the changed record; null when the merchant itself was changed. */
    subject: p.text().nullable(),
    /** The user's email at the time of the action, because users may be removed later. Null for an operator. */
    userEmail: p.text().nullable(),
    /** The email of an operator who acted in the dashboard. Merchants cannot see this email. */
    operatorEmail: p.text().nullable(),
    /** The network address of the caller; null for a command. */
    address: p.text().nullable(),
    browser: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});

export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
