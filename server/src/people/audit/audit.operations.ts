import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read } from '../../operation/operation.ts';
import * as audit from './audit.service.ts';
import { auditColumns, auditEntryView } from './audit-entry.view.ts';

export const listAuditEntries: Operation<'listAuditEntries'> = read(
  async (context, { query }) => {
    const { records, total } = await audit.listAuditEntries(context, query, pageOf(query));
    return { auditEntries: records.map(auditEntryView), total };
  },
  { csv: (context, { query }) => csvOf(auditColumns, audit.readAuditEntries(context, query), auditEntryView) },
);
