import { Divider, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { AnchorLink } from '../kit/links.tsx';
import { useMayChange } from '../kit/may-change.tsx';
import { Section } from '../kit/section.tsx';
import { AdvanceTime } from './advance-time.tsx';
import { FinishPayment } from './finish-payment.tsx';
import { FundWallet } from './fund-wallet.tsx';

/** Test helpers do what a customer, a bank or time would do. */
export function TestHelpers(): ReactNode {
  const mode = useMode();
  const mayChange = useMayChange();
  return (
    <Section title="Test helpers" about="What a customer, a bank or time would do, done here. No money moves.">
      {mode === 'test' && mayChange ? (
        <Stack gap="md">
          <FinishPayment />
          <Divider />
          <FundWallet />
          <Divider />
          <AdvanceTime />
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {mode === 'live' ? (
            <>
              They exist in test mode alone.{' '}
              <AnchorLink to="/$mode/developers" params={{ mode: 'test' }}>
                Go to test mode
              </AnchorLink>
            </>
          ) : (
            'Your role may read, and not change. A colleague who may change things has these helpers.'
          )}
        </Text>
      )}
    </Section>
  );
}
