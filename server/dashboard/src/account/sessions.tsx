import { Button, Group } from '@mantine/core';
import type { SessionRecord } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { browserWords } from '../../../look/browser-words.ts';
import { useRead } from '../app/use-read.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Failure } from '../kit/failure.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { Moment } from '../kit/moment.tsx';
import { notify } from '../kit/notices.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

export function Sessions(): ReactNode {
  const sessions = useRead({
    key: ['sessions'],
    read: (tillhook, options) => tillhook.sessions.list({ limit: 100 }, options),
  });
  const hasOthers = sessions.data?.sessions.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <Section
      title="Your sessions"
      about="Devices where you are signed in. If you do not recognize one, end its session and change your password."
      actions={hasOthers && <EndOthersButton />}
      isBare
    >
      <Loaded read={sessions}>
        {({ sessions: rows }) => (
          <DataTable label="Your sessions" columns={columns} rows={rows} keyOf={({ id }) => id} />
        )}
      </Loaded>
    </Section>
  );
}

const columns: Column<SessionRecord>[] = [
  {
    title: 'Browser',
    cell: ({ browser, isCurrent }) => (
      <Group gap="xs" title={browser ?? undefined}>
        {browserWords(browser)}
        {isCurrent && <StatusBadge status="active">This session</StatusBadge>}
      </Group>
    ),
  },
  { title: 'Address', isNarrow: true, cell: ({ address }) => address ?? 'Unknown' },
  { title: 'Last seen', isNarrow: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  { title: 'Signed in', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Expires', isNarrow: true, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { title: 'Change', isNarrow: true, cell: (session) => !session.isCurrent && <EndButton {...session} /> },
];

function EndOthersButton(): ReactNode {
  const ending = useServiceMutation({
    mutate: (tillhook) => tillhook.sessions.endOthers(),
    changes: ['sessions', 'audit'],
    onAnswer: () => void notify('You were signed out everywhere else.'),
  });
  return (
    <>
      <Button variant="default" loading={ending.isBusy} onClick={() => ending.mutate(null)}>
        End all other sessions
      </Button>
      {ending.error && <Failure error={ending.error} onTryAgain={ending.again} />}
    </>
  );
}

function EndButton({ id, browser }: SessionRecord): ReactNode {
  const ending = useServiceMutation({
    mutate: (tillhook, session: string) => tillhook.sessions.end(session),
    changes: ['sessions', 'audit'],
    onAnswer: () => void notify('Session ended.'),
  });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={ending.isBusy}
        onClick={() => ending.mutate(id)}
        aria-label={`End the session in ${browserWords(browser)}`}
      >
        End
      </Button>
      {ending.error && <Failure error={ending.error} onTryAgain={ending.again} />}
    </>
  );
}
