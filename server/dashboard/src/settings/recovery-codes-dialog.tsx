import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

export function RecoveryCodesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [proof, setProof] = useState(emptyProof);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const renewing = useAsk({
    ask: (tillhook, typed: typeof proof) => tillhook.user.renewRecoveryCodes(typed),
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
      asking={renewing}
      onSubmit={() => renewing.ask({ password: proof.password, code: proof.code.trim() })}
      submitLabel="Make new ones"
      lostWords="New codes may have been made, which cannot be shown any more. Make them once more."
      isErrorShown={proofProblem(renewing.error) !== null}
    >
      <Text size="sm">Ten new codes replace those that you have, which then no longer work.</Text>
      <ProofFields typed={proof} onChange={setProof} error={renewing.error} />
    </FormDialog>
  );
}
