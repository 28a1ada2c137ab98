import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChangePassword } from './change-password.tsx';
import { TwoStep } from './two-step.tsx';

/** Settings for the sign-in: password and two-step sign-in. */
export function SignInSettings(): ReactNode {
  return (
    <Stack gap="lg">
      <TwoStep />
      <ChangePassword />
    </Stack>
  );
}
