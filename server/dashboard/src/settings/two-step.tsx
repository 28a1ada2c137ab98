import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RemoveTwoStepDialog } from './remove-two-step-dialog.tsx';
import { TwoStepSetup } from './two-step-setup.tsx';

/** Two-step sign-in with an authenticator app: turns it on or off, renews the recovery codes, and changes the phone. */
export function TwoStep(): ReactNode {
  const { isOn, isRequired } = useSession().user.twoStep;
  const [open, setOpen] = useState<'setup' | 'codes' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section
      title="Two-step sign-in"
      about="After the password, the sign-in needs a code of an app on your phone. The password alone is not enough."
      actions={
        isOn ? (
          <StatusBadge status="active">on</StatusBadge>
        ) : (
          <StatusBadge status="off" tone={isRequired ? 'warn' : 'plain'} />
        )
      }
    >
      {isRequired && (
        <Text size="sm">
          {isOn
            ? 'Your merchant requires it for all users, so it cannot be turned off.'
            : 'Your merchant requires it for all users: the other pages open once it is on.'}
        </Text>
      )}
      <Group gap="xs">
        <Button variant={isOn ? 'default' : 'filled'} onClick={() => setOpen('setup')}>
          {isOn ? 'Move it to another phone' : 'Turn it on'}
        </Button>
        {isOn && (
          <Button variant="default" onClick={() => setOpen('codes')}>
            Make new recovery codes
          </Button>
        )}
        {isOn && !isRequired && (
          <Button variant="default" onClick={() => setOpen('remove')}>
            Turn it off
          </Button>
        )}
      </Group>
      {open === 'setup' && <TwoStepSetup onClose={close} />}
      {open === 'codes' && <RecoveryCodesDialog onClose={close} />}
      {open === 'remove' && <RemoveTwoStepDialog onClose={close} />}
    </Section>
  );
}
