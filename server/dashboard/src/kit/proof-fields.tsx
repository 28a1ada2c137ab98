import { TextInput } from '@mantine/core';
import { TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '../app/session.ts';
import { PasswordField } from '../sign-in/sign-in-fields.tsx';

/** What proves who somebody is, once more, as it is typed. */
export interface TypedProof {
  password: string;
  code: string;
}

export const nothingTyped: TypedProof = { password: '', code: '' };

interface ProofFieldsProps {
  typed: TypedProof;
  onChange: (typed: TypedProof) => void;
  error: Error | null;
  /** False where the code alone is asked for. */
  asksPassword?: boolean;
  passwordLabel?: string;
  /** The password takes the focus when the dialog opens. */
  autoFocus?: boolean;
}

/**
 * The password, and the code of a user who signs in by two steps. Without password and code there is nothing to show. The code is
 * asked for at once where the session says that it is needed, or when the service does.
 */
export function ProofFields({
  typed,
  onChange,
  error,
  asksPassword = true,
  passwordLabel,
  autoFocus = false,
}: ProofFieldsProps): ReactNode {
  const { user } = useSession();
  const code = proofProblem(error);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (proofProblem(error) === 'two_step_required') codeField.current?.focus();
  }, [error]);
  return (
    <>
      {asksPassword && (
        <PasswordField
          value={typed.password}
          onChange={(password) => onChange({ ...typed, password })}
          isWrong={code === 'invalid_credentials'}
          autoFocus={autoFocus}
          {...(passwordLabel && { label: passwordLabel })}
        />
      )}
      {code === 'invalid_credentials' && <Wrong>That password is wrong.</Wrong>}
      {(user.twoStep.isOn || code === 'two_step_required' || typed.code !== '') && (
        <TextInput
          ref={codeField}
          label="Code"
          description="The six digits in your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          maxLength={32}
          value={typed.code}
          onChange={({ currentTarget }) => onChange({ ...typed, code: currentTarget.value })}
          error={code === 'invalid_code' && 'That code is wrong, or was used before. Wait for the next one.'}
        />
      )}
    </>
  );
}

function Wrong({ children }: { children: ReactNode }): ReactNode {
  return (
    <span role="alert" style={{ color: 'var(--bad)' }}>
      {children}
    </span>
  );
}

/** What is wrong with the password or the code; null where the failure is another. */
export function proofProblem(error: Error | null): 'invalid_credentials' | 'invalid_code' | 'two_step_required' | null {
  const known = ['invalid_credentials', 'invalid_code', 'two_step_required'] as const;
  return known.find((code) => error instanceof TillhookError && error.code === code) ?? null;
}

/** The code for a request, which goes without one where none was typed. */
export function codeIn({ code }: TypedProof): { code?: string } {
  return code.trim() === '' ? {} : { code: code.trim() };
}
