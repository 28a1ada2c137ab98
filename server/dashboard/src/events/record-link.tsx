import type { EventName } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { AnchorLink } from '../kit/links.tsx';

interface RecordLinkProps {
  event: EventName;
  reference: string;
}

/** A link to the payment or transfer of an event. The payment of a test event does not exist. */
export function RecordLink({ event, reference }: RecordLinkProps): ReactNode {
  const mode = useMode();
  const text = <bdi>{reference}</bdi>;
  if (event === 'test.event') return text;
  return event.startsWith('transfer.') ? (
    <AnchorLink to="/$mode/transfers/$reference" params={{ mode, reference }}>
      {text}
    </AnchorLink>
  ) : (
    <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference }}>
      {text}
    </AnchorLink>
  );
}
