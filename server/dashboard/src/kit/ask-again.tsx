import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from './proof-fields.tsx';
import type { Asking } from './use-ask.ts';

/** Proves again who the user is. `code` is set when two-step sign-in is on. */
export interface Proof {
  password: string;
  code?: string;
}

interface AskAgainProps {
  title: string;
  /** Explains why the password is needed, and what will happen. */
  children: ReactNode;
  submitLabel: string;
  asking: Asking<Proof>;
  onClose: () => void;
}

/** Asks for the password before a secret is shown, and for the code when the service requires it. */
export function AskAgain({ title, children, submitLabel, asking, onClose }: AskAgainProps): ReactNode {
  const [typed, setTyped] = useState(emptyProof);
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      asking={asking}
      onSubmit={() => asking.ask({ password: typed.password, ...codeIn(typed) })}
      submitLabel={submitLabel}
      lostWords="You can ask for it again."
      isErrorShown={proofProblem(asking.error) !== null}
    >
      <Text size="sm">{children}</Text>
      <ProofFields typed={typed} onChange={setTyped} error={asking.error} autoFocus />
    </FormDialog>
  );
}
