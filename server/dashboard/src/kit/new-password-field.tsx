import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

const minLength = 12;

export function tooShort(password: string): string | undefined {
  const { length } = password;
  return length < minLength ? `${length} of at least ${minLength} characters.` : undefined;
}

interface NewPasswordFieldProps {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
}

export function NewPasswordField({
  label = 'New password',
  value,
  onChange,
  problem,
}: NewPasswordFieldProps): ReactNode {
  return (
    <PasswordInput
      label={label}
      description={`At least ${minLength} characters. A sentence is easier to remember than a word with symbols.`}
      autoComplete="new-password"
      required
      withAsterisk={false}
      maxLength={256}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={problem}
      visibilityToggleButtonProps={{ 'aria-label': 'Show new password' }}
    />
  );
}
