import { PasswordInput, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

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
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      data-autofocus={autoFocus || undefined}
    />
  );
}

/** A field for the six digits of the app, or for a recovery code. It gets the focus when it appears. */
export function CodeField({ value, onChange, isWrong }: PasswordFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <TextInput
        ref={field}
        label="Code"
        name="code"
        description="The six digits in your authenticator app."
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        withAsterisk={false}
        maxLength={64}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        aria-invalid={isWrong || undefined}
      />
      <Text size="xs" c="dimmed">
        Without your phone, type one of your recovery codes here.
      </Text>
    </>
  );
}
