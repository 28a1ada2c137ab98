import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { LiveNeed } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { basePath } from '../app/base.ts';
import { useSession } from '../app/session.ts';
import { Tick } from './checklist.tsx';
import { AnchorLink } from './links.tsx';
import classes from './live-checklist.module.css';
import { type Change, rolesThatMay, useMayCall } from './may-call.tsx';

/** A kind that a newer service adds is left out. */
const words = {
  payment_processor: { title: 'Payment processor', why: 'It charges the cards of your customers.' },
  payout_processor: { title: 'Payout processor', why: 'Only transfers need it.' },
  business_details: {
    title: 'Contact for your customers',
    why: 'An email address or a page where customers find help. The checkout page shows it.',
  },
  api_key: { title: 'Live API key', why: 'Your program needs one. Links from the dashboard work without it.' },
  webhook_endpoint: {
    title: 'Live endpoint',
    why: 'Your program is notified there of each live payment. Endpoints of test mode are not.',
  },
};

type Kind = keyof typeof words;
type KnownNeed = LiveNeed & { kind: Kind };

export function knownNeeds(needs: readonly LiveNeed[]): KnownNeed[] {
  return needs.filter((need): need is KnownNeed => Object.hasOwn(words, need.kind));
}

/** What live mode needs, with a link to the page where each need is met. */
export function LiveChecklist({ needs }: { needs: readonly KnownNeed[] }): ReactNode {
  return (
    <Stack component="ul" gap="sm" className={classes.list}>
      {needs.map(({ kind, isMet }) => (
        <Group component="li" key={kind} gap="xs" wrap="nowrap" align="flex-start">
          <Tick isDone={isMet} />
          <Text component="div" size="sm">
            <b>{words[kind].title}</b>
            {!isMet && (
              <div>
                {words[kind].why} <HowToMeet kind={kind} />
              </div>
            )}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function HowToMeet({ kind }: { kind: Kind }): ReactNode {
  switch (kind) {
    case 'business_details':
      return (
        <IfAllowed operation="updateSettings">
          <AnchorLink to="/$mode/settings" params={{ mode: 'live' }}>
            Add it in Settings
          </AnchorLink>
        </IfAllowed>
      );
    case 'api_key':
      return (
        <IfAllowed operation="createApiKey">
          <AnchorLink to="/$mode/developers" params={{ mode: 'live' }}>
            Create a live key
          </AnchorLink>
        </IfAllowed>
      );
    case 'webhook_endpoint':
      return (
        <IfAllowed operation="registerWebhookEndpoint">
          <AnchorLink to="/$mode/webhooks" params={{ mode: 'live' }}>
            Add a live endpoint
          </AnchorLink>
        </IfAllowed>
      );
    default:
      return <OfOperator />;
  }
}

function OfOperator(): ReactNode {
  const { role } = useSession().user;
  if (role !== 'operator') return 'Only the operator of this service can set it up.';
  return (
    <Anchor size="sm" href={`${basePath}/docs/going-live#the-server`}>
      How to set it up on the server
    </Anchor>
  );
}

function IfAllowed({ operation, children }: { operation: Change; children: ReactNode }): ReactNode {
  return useMayCall(operation) ? children : `A user with the role ${rolesThatMay([operation])} can do this.`;
}
