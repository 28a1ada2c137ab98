import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChangePassword } from './change-password.tsx';
import { TwoStep } from './two-step.tsx';

/** How whoever is signed in proves who they are. */
export function SignInSettings(): ReactNode {
  return (
    <Stack gap="lg">
      <TwoStep />
      <ChangePassword />
    </Stack>
  );
}
