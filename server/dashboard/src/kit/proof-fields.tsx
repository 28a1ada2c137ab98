import { Anchor, Text, TextInput } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '../app/session.ts';
import { companyStart } from '../app/sign-in-ways.ts';
import { PasswordField } from './password-field.tsx';

export interface TypedProof {
  password: string;
  code: string;
}

export const emptyProof: TypedProof = { password: '', code: '' };

interface ProofFieldsProps {
  typed: TypedProof;
  onChange: (typed: TypedProof) => void;
  error: Error | null;
  /** Whether to ask for the password; false when the service needs only the code. */
  asksPassword?: boolean;
  passwordLabel?: string;
  autoFocus?: boolean;
}

/**
 * The field for the code is shown at once when the session says that the code is needed, and otherwise when the service
 * asks for the code.
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
  const place = useLocation({ select: ({ href }) => href });
  const isByPasskey = user.proof === 'passkey';
  const code = proofProblem(error);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (proofProblem(error) === 'two_step_required') codeField.current?.focus();
  }, [error]);
  return (
    <>
      {asksPassword && user.proof !== 'password' && <Text size="sm">{proofWords[user.proof]}</Text>}
      {asksPassword && user.proof === 'password' && (
        <PasswordField
          value={typed.password}
          onChange={(password) => onChange({ ...typed, password })}
          isWrong={code === 'invalid_credentials'}
          autoFocus={autoFocus}
          {...(passwordLabel && { label: passwordLabel })}
        />
      )}
      {code === 'invalid_credentials' && (
        <Wrong>{isByPasskey ? 'This passkey is not accepted.' : 'Wrong password.'}</Wrong>
      )}
      {code === 'recent_sign_in_required' && (
        <Wrong>
          You signed in more than ten minutes ago. <Anchor href={companyStart(place)}>Sign in again</Anchor> with your
          company account, then try again.
        </Wrong>
      )}
      {!(asksPassword && isByPasskey) && (user.twoStep.isOn || code === 'two_step_required' || typed.code !== '') && (
        <TextInput
          ref={codeField}
          label="Code"
          description="The six-digit code from your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          maxLength={32}
          value={typed.code}
          onChange={({ currentTarget }) => onChange({ ...typed, code: currentTarget.value })}
          error={code === 'invalid_code' && 'This code is wrong or was already used. Wait for the next one.'}
        />
      )}
    </>
  );
}

const proofWords: Partial<Record<string, string>> = {
  passkey: 'Your browser will ask for your passkey.',
  company: 'No password needed: you signed in with your company account.',
};

function Wrong({ children }: { children: ReactNode }): ReactNode {
  return (
    <span role="alert" style={{ color: 'var(--bad)' }}>
      {children}
    </span>
  );
}

const proofProblems = ['invalid_credentials', 'invalid_code', 'two_step_required', 'recent_sign_in_required'] as const;

/** Returns null for a failure that is not about the password, the code or the age of the session. */
export function proofProblem(error: Error | null): (typeof proofProblems)[number] | null {
  return proofProblems.find((code) => error instanceof TillhookError && error.code === code) ?? null;
}

export function codeIn({ code }: TypedProof): { code?: string } {
  return code.trim() === '' ? {} : { code: code.trim() };
}
