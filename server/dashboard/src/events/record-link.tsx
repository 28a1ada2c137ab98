import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { AnchorLink } from '../kit/links.tsx';
import { recordOf } from './event-names.ts';

interface RecordLinkProps {
  event: string;
  reference: string;
}

/** Test events get no link, because their payment does not exist. */
export function RecordLink({ event, reference }: RecordLinkProps): ReactNode {
  const mode = useMode();
  const text = <bdi>{reference}</bdi>;
  switch (recordOf(event)) {
    case 'payment':
      return (
        <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference }}>
          {text}
        </AnchorLink>
      );
    case 'transfer':
      return (
        <AnchorLink to="/$mode/transfers/$reference" params={{ mode, reference }}>
          {text}
        </AnchorLink>
      );
    case 'refund':
      return (
        <AnchorLink to="/$mode/refunds/$reference" params={{ mode, reference }}>
          {text}
        </AnchorLink>
      );
    case null:
      return text;
  }
}
