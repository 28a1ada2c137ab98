import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from './proof-fields.tsx';
import type { ServiceMutation } from './use-service-mutation.ts';

/** `code` is set when two-step sign-in is on. */
export interface Proof {
  password: string;
  code?: string;
}

interface ProofDialogProps {
  title: string;
  children: ReactNode;
  submitLabel: string;
  mutation: ServiceMutation<Proof>;
  onClose: () => void;
}

export function ProofDialog({ title, children, submitLabel, mutation, onClose }: ProofDialogProps): ReactNode {
  const [typed, setTyped] = useState(emptyProof);
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      mutation={mutation}
      onSubmit={() => mutation.mutate({ password: typed.password, ...codeIn(typed) })}
      submitLabel={submitLabel}
      lostWords="You can request it again."
      isErrorShown={proofProblem(mutation.error) !== null}
    >
      <Text size="sm">{children}</Text>
      <ProofFields typed={typed} onChange={setTyped} error={mutation.error} autoFocus />
    </FormDialog>
  );
}
