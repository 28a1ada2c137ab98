import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { ButtonLink } from '../kit/links.tsx';

export function KeyStep({ isTaken }: { isTaken: boolean }): ReactNode {
  const mode = useMode();
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        {isTaken
          ? 'There is a key for test mode. If you do not have it, create another one: each key is shown only once.'
          : 'Your program calls the API with a key, which is shown only once.'}{' '}
        The page Developers has the first calls as code, with your new key in them.
      </Text>
      <ButtonLink variant={isTaken ? 'default' : 'filled'} to="/$mode/developers" params={{ mode }}>
        {isTaken ? 'Open Developers' : 'Create a key'}
      </ButtonLink>
    </Stack>
  );
}
