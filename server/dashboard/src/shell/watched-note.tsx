import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { watchedMerchant } from '../app/watched-merchant.ts';
import { AnchorLink } from '../kit/links.tsx';

/** Tells an operator on every page that the page is of another merchant. */
export function WatchedNote(): ReactNode {
  const mode = useMode();
  const { merchant, user } = useSession();
  if (user.role !== 'operator' || watchedMerchant() === undefined) return null;
  return (
    <Text size="sm" mb="md">
      You look at <bdi>{merchant.name}</bdi>, as the operator.{' '}
      <AnchorLink to="/$mode/operator" params={{ mode }} search={{ tab: 'merchants' }}>
        Back to Merchants
      </AnchorLink>
    </Text>
  );
}
