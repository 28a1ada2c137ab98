import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLiveNeeds } from '../app/live-needs.ts';
import { ButtonLink } from '../kit/links.tsx';
import { knownNeeds, LiveChecklist } from '../kit/live-checklist.tsx';

export function LiveStep(): ReactNode {
  const needs = useLiveNeeds({ isEnabled: true });
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">In live mode customers pay real money. It needs:</Text>
      <LiveChecklist needs={knownNeeds(needs ?? [])} />
      <ButtonLink variant="default" to="/$mode" params={{ mode: 'live' }}>
        Open live mode
      </ButtonLink>
    </Stack>
  );
}
