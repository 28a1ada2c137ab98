import { useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { browserWords } from '../../../look/browser-words.ts';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { choiceField, type FilterField, periodField } from '../kit/filter-fields.ts';
import { modeNames } from '../kit/mode-words.ts';
import { Moment } from '../kit/moment.tsx';
import { withTimes } from '../kit/period.ts';
import { RecordList } from '../kit/record-list.tsx';
import { Section } from '../kit/section.tsx';
import { auditWords, inWords } from './audit-words.ts';

export function AuditLog(): ReactNode {
  const { tab: _tab, page = 1, order, columns: _columns, ...filters } = useSearch({ from: '/$mode/settings' });
  const matching = withTimes(filters);
  const query = { ...matching, ...(order && { order }), ...paged({ page }) };
  const entries = useRead({
    key: ['audit', query],
    read: (tillhook, options) => tillhook.auditEntries.list(query, options),
    keepsPrevious: true,
  });
  return (
    <Section
      title="Audit log"
      about="Everything that people did in the dashboard or by command, in both modes. Entries are never deleted. Actions by API key are not listed here."
      isBare
    >
      <RecordList
        name="audit"
        label="Audit log"
        read={entries}
        listOf={({ auditEntries: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        filters={{ fields, chosen: filters, noMatch: 'No entries match' }}
        csv={{ file: 'audit-log', read: (tillhook) => tillhook.auditEntries.list(matching).csv() }}
        empty={<Empty title="No entries yet">What your team does in the dashboard appears here.</Empty>}
      />
    </Section>
  );
}

const actions = Object.entries(auditWords).map(([value, label]) => ({ value, label }));

const fields = [
  periodField('When'),
  choiceField('action', 'Action', actions),
  textField('email', 'User', 'ada', 'Part of the email address'),
  textField('subject', 'ID or reference', 'order-1042', 'The full ID or reference'),
];

function textField<Name extends string>(
  name: Name,
  label: string,
  placeholder: string,
  problem: string,
): FilterField<Name> {
  return { kind: 'text', names: [name], label, placeholder, read: (typed) => typed, problem };
}

const columns: Column<AuditEntry>[] = [
  { title: 'Action', onPhone: 'lead', cell: ({ action }) => <span title={action}>{inWords(action)}</span> },
  { title: 'ID or reference', name: 'subject', cell: ({ subject }) => subject && <bdi>{subject}</bdi> },
  {
    title: 'Mode',
    name: 'mode',
    isNarrow: true,
    onPhone: 'state',
    cell: ({ mode }) => (mode === null ? 'Both' : modeNames[mode]),
  },
  { title: 'User', onPhone: 'who', cell: ({ actor }) => <bdi>{actor.email ?? 'The operator of this service'}</bdi> },
  {
    title: 'Location',
    name: 'location',
    cell: ({ actor, address, browser }) => {
      // The service hides the IP addresses of its operators, so an entry of an operator has no address.
      if (actor.type === 'operator') return 'Not shown';
      return address === null ? (
        'Unknown'
      ) : (
        <span title={browser ?? undefined}>{`${address}, ${browserWords(browser)}`}</span>
      );
    },
  },
  {
    title: 'When',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];
