import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface PasswordFieldProps {
  value: string;
  onChange: (value: string) => void;
  isWrong: boolean;
  autoFocus?: boolean;
  label?: string;
}

export function PasswordField({
  value,
  onChange,
  isWrong,
  autoFocus,
  label = 'Password',
}: PasswordFieldProps): ReactNode {
  return (
    <PasswordInput
      label={label}
      name="password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      maxLength={256}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      aria-invalid={isWrong || undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
      data-autofocus={autoFocus || undefined}
    />
  );
}
