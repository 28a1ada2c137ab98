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
      about="After your password, you also enter a code from an app on your phone. A passkey needs no code."
      actions={
        isOn ? (
          <StatusBadge status="active">On</StatusBadge>
        ) : (
          <StatusBadge status="off" tone={isRequired ? 'warn' : 'plain'} />
        )
      }
    >
      {isRequired && <Text size="sm">{requirementWords(isOn, proof === 'passkey')}</Text>}
      <Group gap="xs">
        <Button variant={isOn ? 'default' : 'filled'} onClick={() => setOpen('setup')}>
          {isOn ? 'Move to another phone' : 'Turn on'}
        </Button>
        {isOn && (
          <Button variant="default" onClick={() => setOpen('codes')}>
            Create new recovery codes
          </Button>
        )}
        {isOn && !isRequired && (
          <Button variant="default" onClick={() => setOpen('remove')}>
            Turn off
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
  if (isOn) return 'Your merchant requires it for everyone.';
  if (hasPasskey) return 'Your merchant requires two-step sign-in for everyone. Your passkey counts as both steps.';
  return 'Your merchant requires two-step sign-in for everyone. Turn it on or add a passkey to open the other pages.';
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
      title="Turn off two-step sign-in?"
      isOpen
      onClose={onClose}
      mutation={removing}
      onSubmit={() => removing.mutate({ password: proof.password, code: proof.code.trim() })}
      submitLabel="Turn off"
      isDangerous
      lostWords="It may already be off. Reload the page to check."
      isErrorShown={proofProblem(removing.error) !== null}
    >
      <Text size="sm">You will sign in with your password alone, and your recovery codes stop working.</Text>
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
      title="Create new recovery codes"
      isOpen
      onClose={onClose}
      mutation={renewing}
      onSubmit={() => renewing.mutate({ password: proof.password, code: proof.code.trim() })}
      submitLabel="Create new codes"
      lostWords="New codes may have been created, and they cannot be shown again. Create them once more."
      isErrorShown={proofProblem(renewing.error) !== null}
    >
      <Text size="sm">Ten new codes replace the ones that you have, which stop working.</Text>
      <ProofFields typed={proof} onChange={setProof} error={renewing.error} />
    </FormDialog>
  );
}
