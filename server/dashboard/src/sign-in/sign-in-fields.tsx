import { Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  isWrong: boolean;
}

export function CodeField({ value, onChange, isWrong }: CodeFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <TextInput
        ref={field}
        label="Code"
        name="code"
        description="The six-digit code from your authenticator app."
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
        Without your phone, enter one of your recovery codes here.
      </Text>
    </>
  );
}
