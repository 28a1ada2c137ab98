import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { useRefreshSession } from './refresh-session.ts';

export function RemoveTwoStepDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [proof, setProof] = useState(emptyProof);
  const refreshSession = useRefreshSession();
  const removing = useAsk({
    ask: (tillhook, typed: typeof proof) => tillhook.user.removeTwoStep(typed),
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
      asking={removing}
      onSubmit={() => removing.ask({ password: proof.password, code: proof.code.trim() })}
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
