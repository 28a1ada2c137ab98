import { TextInput } from '@mantine/core';
import { TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '../app/session.ts';
import { PasswordField } from './password-field.tsx';

/** The password and the code that the user enters to authenticate again. */
export interface TypedProof {
  password: string;
  code: string;
}

export const emptyProof: TypedProof = { password: '', code: '' };

interface ProofFieldsProps {
  typed: TypedProof;
  onChange: (typed: TypedProof) => void;
  error: Error | null;
  /** False when the service needs only the code. */
  asksPassword?: boolean;
  passwordLabel?: string;
  /** Whether the password gets the focus when the dialog opens. */
  autoFocus?: boolean;
}

/**
 * A field for the password, and a field for the code of a user with two-step sign-in. When neither is needed, nothing
 * is shown. The field for the code is shown at once when the session says that the code is needed, and otherwise when
 * the service asks for it.
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

/** Returns the error code when the password or the code was wrong. Null for any other failure. */
export function proofProblem(error: Error | null): 'invalid_credentials' | 'invalid_code' | 'two_step_required' | null {
  const known = ['invalid_credentials', 'invalid_code', 'two_step_required'] as const;
  return known.find((code) => error instanceof TillhookError && error.code === code) ?? null;
}

/** Returns an object with the field `code` of a request; an empty object when the user has typed no code. */
export function codeIn({ code }: TypedProof): { code?: string } {
  return code.trim() === '' ? {} : { code: code.trim() };
}
