import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useRefreshSession, useSession } from '../app/session.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useProof } from '../kit/use-proof.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { RecoveryCodes, TwoStepSetup } from './two-step-setup.tsx';

export function TwoStep(): ReactNode {
  const { twoStep, proof } = useSession().user;
  const { isOn, isRequired } = twoStep;
  const [open, setOpen] = useState<'setup' | 'codes' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section
      title="Two-step sign-in"
      about="After the password, the sign-in also needs a code from an app on your phone. A passkey needs no code."
      actions={
        isOn ? (
          <StatusBadge status="active">on</StatusBadge>
        ) : (
          <StatusBadge status="off" tone={isRequired ? 'warn' : 'plain'} />
        )
      }
    >
      {isRequired && <Text size="sm">{requirementWords(isOn, proof === 'passkey')}</Text>}
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

function requirementWords(isOn: boolean, hasPasskey: boolean): string {
  if (isOn) return 'Your merchant requires it for all users.';
  if (hasPasskey) return 'Your merchant requires two steps of all users, and your passkey counts as both.';
  return 'Your merchant requires two steps of all users: the other pages open once this is on, or once you have a passkey.';
}

export function RemoveTwoStepDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [proof, setProof] = useState(emptyProof);
  const refreshSession = useRefreshSession();
  const prove = useProof();
  const removing = useServiceMutation({
    mutate: async (tillhook, typed: typeof proof) => tillhook.user.removeTwoStep(await prove(tillhook, typed)),
    isRepeatable: false,
    changes: ['audit'],
    onAnswer: () => {
      refreshSession();
      void notify('Two-step sign-in is off.');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Turn two-step sign-in off"
      isOpen
      onClose={onClose}
      mutation={removing}
      onSubmit={() => removing.mutate({ password: proof.password, code: proof.code.trim() })}
      submitLabel="Turn it off"
      isDangerous
      lostWords="It may be off already. Reload the page to see."
      isErrorShown={proofProblem(removing.error) !== null}
    >
      <Text size="sm">From then on the password alone is enough, and your recovery codes no longer work.</Text>
      <ProofFields typed={proof} onChange={setProof} error={removing.error} />
    </FormDialog>
  );
}

export function RecoveryCodesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [proof, setProof] = useState(emptyProof);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const prove = useProof();
  const renewing = useServiceMutation({
    mutate: async (tillhook, typed: typeof proof) => tillhook.user.renewRecoveryCodes(await prove(tillhook, typed)),
    isRepeatable: false,
    changes: ['audit'],
    onAnswer: ({ recoveryCodes }) => setCodes(recoveryCodes),
  });
  if (codes) return <RecoveryCodes codes={codes} title="Your new recovery codes" onClose={onClose} />;
  return (
    <FormDialog
      title="Make new recovery codes"
      isOpen
      onClose={onClose}
      mutation={renewing}
      onSubmit={() => renewing.mutate({ password: proof.password, code: proof.code.trim() })}
      submitLabel="Make new ones"
      lostWords="New codes may have been made, which cannot be shown any more. Make them once more."
      isErrorShown={proofProblem(renewing.error) !== null}
    >
      <Text size="sm">Ten new codes replace those that you have, which then no longer work.</Text>
      <ProofFields typed={proof} onChange={setProof} error={renewing.error} />
    </FormDialog>
  );
}
