import { Button, Text } from '@mantine/core';
import type { InvitationWithLink, Team as TeamAnswer } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useRead } from '../app/use-read.ts';
import { Plus } from '../kit/icons.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Section } from '../kit/section.tsx';
import { InvitationsTable } from './invitations-table.tsx';
import { InvitationLink, InviteDialog } from './invite-dialog.tsx';
import { MembersTable } from './members-table.tsx';
import { SupportRefunds } from './support-refunds.tsx';

export function Team(): ReactNode {
  const mayInvite = useMayCall('inviteMember');
  const [isInviting, setIsInviting] = useState(false);
  const team = useRead({ key: ['team'], read: (tillhook, options) => tillhook.team.list(options) });
  return (
    <>
      <Section
        title="Who has access"
        about="Operators of this service are not listed. They can read the data of every merchant."
        actions={
          mayInvite && (
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setIsInviting(true)}>
              Invite a user
            </Button>
          )
        }
      >
        <ReadOnlyNote what="change it" operations={['inviteMember']} />
        <Loaded read={team}>{({ members }) => <MembersTable members={members} />}</Loaded>
      </Section>
      {team.data && <Invitations {...team.data} />}
      <SupportRefunds />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </>
  );
}

function Invitations({ invitations }: TeamAnswer): ReactNode {
  const [renewed, setRenewed] = useState<InvitationWithLink | null>(null);
  return (
    <Section title="Pending invitations" about="An invitation works once, for seven days.">
      {invitations.length === 0 ? (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      ) : (
        <InvitationsTable invitations={invitations} onRenewed={setRenewed} />
      )}
      {renewed && <InvitationLink invitation={renewed} onClose={() => setRenewed(null)} />}
    </Section>
  );
}
