import { Anchor, Checkbox, Stack, Text } from '@mantine/core';
import type { Preferences, PreferencesUpdate } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { roleWords } from '../../../look/role-words.ts';
import { basePath } from '../app/base.ts';
import { useSession } from '../app/session.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { useRead } from '../app/use-read.ts';
import { Callout } from '../kit/callout.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { SaveRow } from '../kit/save-row.tsx';
import { Section } from '../kit/section.tsx';
import { type NotificationKind, notificationKinds } from './notification-kinds.ts';
import { useSavePreferences } from './use-save-preferences.ts';

export function Notifications(): ReactNode {
  const { role, email } = useSession().user;
  const kinds = notificationKinds.filter(({ roles }) => roles.includes(role));
  const preferences = useRead({
    key: ['preferences'],
    read: (tillhook, options) => tillhook.user.getPreferences(options),
    isEnabled: kinds.length > 0,
  });
  return (
    <Section
      title="Notifications"
      about={
        <>
          Emails to <bdi>{email}</bdi> about events in test and live mode. Emails about the security of your account are
          always sent.
        </>
      }
    >
      <DeliveryNote />
      {kinds.length === 0 ? (
        <Text size="sm">
          Your role is {roleWords(role).label}. You get emails about the security of your account only.
        </Text>
      ) : (
        <Loaded read={preferences}>{(present) => <KindsForm present={present} kinds={kinds} />}</Loaded>
      )}
    </Section>
  );
}

function DeliveryNote(): ReactNode {
  if (signInWays.mailbox) {
    return (
      <Callout tone="plain" title="This is a demo that keeps its emails">
        <Text size="sm">
          No email is sent. Read the emails in <Anchor href={`${basePath}/mails`}>its mailbox</Anchor> on the computer
          that runs it.
        </Text>
      </Callout>
    );
  }
  if (signInWays.resetByMail) return null;
  return (
    <Callout tone="warn" title="This service sends no emails">
      Its operator has not set up a mail server. Your choice is saved and takes effect once there is one.
    </Callout>
  );
}

function KindsForm({ present, kinds }: { present: Preferences; kinds: readonly NotificationKind[] }): ReactNode {
  const [off, setOff] = useState<Preferences['mailsOff']>(present.mailsOff);
  const saving = useSavePreferences('Saved.');
  const isChanged = [...off].sort().join() !== [...present.mailsOff].sort().join();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate({ mailsOff: off as NonNullable<PreferencesUpdate['mailsOff']> });
      }}
    >
      <Stack gap="sm" maw={520}>
        {kinds.map(({ kind, label, description }) => (
          <Checkbox
            key={kind}
            label={label}
            description={description}
            disabled={saving.isBusy}
            checked={!off.includes(kind)}
            onChange={({ currentTarget: { checked } }) => {
              setOff((before) => (checked ? before.filter((each) => each !== kind) : [...before, kind]));
            }}
          />
        ))}
        <SaveRow saving={saving} isChanged={isChanged} />
      </Stack>
    </form>
  );
}
