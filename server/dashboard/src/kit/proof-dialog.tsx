import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from './proof-fields.tsx';
import type { ServiceMutation } from './use-service-mutation.ts';

/** The values that authenticate the user again. `code` is set when two-step sign-in is on. */
export interface Proof {
  password: string;
  code?: string;
}

interface ProofDialogProps {
  title: string;
  /** Explains why the password is needed and what will happen next. */
  children: ReactNode;
  submitLabel: string;
  mutation: ServiceMutation<Proof>;
  onClose: () => void;
}

/** Asks for the password before a secret is shown, and also for the code when the service requires it. */
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
      lostWords="You can ask for it again."
      isErrorShown={proofProblem(mutation.error) !== null}
    >
      <Text size="sm">{children}</Text>
      <ProofFields typed={typed} onChange={setTyped} error={mutation.error} autoFocus />
    </FormDialog>
  );
}
