import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    /** Null for what holds in both modes. */
    mode: p.text().$type<Mode>().nullable(),
    /** The operation's name, also where it was done by a page or a command. */
    action: p.text(),
    /** The id or reference of what it was done to; null where it was the merchant. */
    subject: p.text().nullable(),
    /** Null for an operator. A user's address at that moment: users come and go. */
    userEmail: p.text().nullable(),
    /** Of an operator who did it in the dashboard. Merchants are not shown it. */
    operatorEmail: p.text().nullable(),
    /** Where the call came from; null for a command. */
    address: p.text().nullable(),
    browser: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});

/** What a person did that a merchant may have to account for. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
