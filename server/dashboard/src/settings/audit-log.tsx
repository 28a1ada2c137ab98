import { useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { browserWords } from '../../../look/browser-words.ts';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import type { FilterField } from '../kit/filters.tsx';
import { Moment } from '../kit/moment.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { Section } from '../kit/section.tsx';
import { auditWords, inWords } from './audit-words.ts';

export function AuditLog(): ReactNode {
  const { tab: _tab, page = 1, ...filters } = useSearch({ from: '/$mode/settings' });
  const query = { ...filters, ...paged({ page }) };
  const entries = useRead({
    key: ['audit', query],
    read: (tillhook, options) => tillhook.auditEntries.list(query, options),
    keepsPrevious: true,
  });
  return (
    <Section
      title="Audit log"
      about="The actions of people, on these pages and by command, in both modes. They are never deleted. What programs do with a key is not here but in the lists of what they made, such as Payments."
      isBare
    >
      <RecordList
        label="Audit log"
        read={entries}
        listOf={({ auditEntries: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        filters={{ fields, chosen: filters }}
        empty={<Empty title="No entry matches">Change or clear the filters above.</Empty>}
      />
    </Section>
  );
}

const fields: FilterField<'action' | 'email' | 'subject' | 'from' | 'to'>[] = [
  {
    name: 'action',
    label: 'What',
    kind: 'choice',
    options: Object.entries(auditWords).map(([value, label]) => ({ value, label })),
  },
  { name: 'email', label: 'Who (part of the email)', kind: 'text', placeholder: 'ada' },
  { name: 'subject', label: 'Id or reference', kind: 'text', placeholder: 'order-1042' },
  { name: 'from', label: 'From', kind: 'moment' },
  { name: 'to', label: 'To', kind: 'moment' },
];

const columns: Column<AuditEntry>[] = [
  { title: 'What', cell: ({ action }) => <span title={action}>{inWords(action)}</span> },
  { title: 'Id or reference', cell: ({ subject }) => subject && <bdi>{subject}</bdi> },
  { title: 'Mode', isNarrow: true, cell: ({ mode }) => mode ?? 'both' },
  { title: 'Who', cell: ({ actor }) => <bdi>{actor.email ?? 'The operator of this service'}</bdi> },
  {
    title: 'From where',
    cell: ({ actor, address, browser }) => {
      // The service hides the IP addresses of its operators, so an entry of an operator has no address.
      if (actor.type === 'operator') return 'Not shown';
      return address === null ? (
        'Not known'
      ) : (
        <span title={browser ?? undefined}>{`${address}, ${browserWords(browser)}`}</span>
      );
    },
  },
  { title: 'When', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];
