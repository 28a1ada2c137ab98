import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read } from '../../operation/operation.ts';
import { listAuditEntries } from './audit.service.ts';
import { auditEntryView } from './audit-entry.view.ts';

export const auditOperations = {
  listAuditEntries: read(async (context, { query }) => {
    const { records, total } = await listAuditEntries(context, query, pageOf(query));
    return { auditEntries: records.map(auditEntryView), total };
  }),
} satisfies Partial<Operations>;
