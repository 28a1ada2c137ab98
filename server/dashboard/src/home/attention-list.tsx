import { Text } from '@mantine/core';
import type { Attention } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { ButtonLink } from '../kit/links.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { ComingMoment, Moment } from '../kit/moment.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge, type Tone } from '../kit/status-badge.tsx';
import classes from './attention-list.module.css';

export function AttentionList({ attention }: { attention: readonly Attention[] }): ReactNode {
  if (attention.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className={classes.list}>
        {attention.map((entry) => (
          <li key={`${entry.kind} ${entry.subject}`} className={classes.entry}>
            <StatusBadge status={entry.kind} tone={badges[entry.kind]?.tone ?? 'warn'}>
              {badges[entry.kind]?.word ?? entry.kind.replaceAll('_', ' ')}
            </StatusBadge>
            <Text component="div" size="sm" className={classes.words}>
              <b>
                <Title {...entry} />.
              </b>{' '}
              <Words {...entry} />
            </Text>
            <Way {...entry} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const badges: Record<Attention['kind'], { word: string; tone: Tone }> = {
  endpoint_disabled: { word: 'disabled', tone: 'bad' },
  endpoint_failing: { word: 'failing', tone: 'bad' },
  payment_under_review: { word: 'review', tone: 'warn' },
  key_expiring: { word: 'ends soon', tone: 'warn' },
  rotation_staged: { word: 'rotation', tone: 'waiting' },
};

function Title({ kind, label, count }: Attention): ReactNode {
  const name = <bdi>{label}</bdi>;
  switch (kind) {
    case 'endpoint_disabled':
      return <>Nothing is sent to {name}: the endpoint is disabled</>;
    case 'endpoint_failing':
      return (
        <>
          {failedWords(count)} to {name} failed
        </>
      );
    case 'payment_under_review':
      return <>Payment {name} is under review</>;
    case 'key_expiring':
      return <>The API key {name} was rolled</>;
    case 'rotation_staged':
      return <>A new signing secret of {name} waits to take over</>;
    default:
      return name;
  }
}

/** Without a count of failed deliveries, only attempts have failed so far, and the service will retry them. */
function failedWords(count: number | null): string {
  if (!count) return 'The newest attempts to deliver';
  return count === 1 ? 'The last delivery' : `The last ${count} deliveries`;
}

function Words({ kind, since, until, reason }: Attention): ReactNode {
  switch (kind) {
    case 'endpoint_disabled':
      return (
        <>
          {reason === 'repeated_failures'
            ? 'Every delivery of its last days failed'
            : `The reason: ${reason?.replaceAll('_', ' ')}`}
          {since && (
            <>
              , <Moment at={since} />
            </>
          )}
          .
        </>
      );
    case 'endpoint_failing':
      return since ? (
        <>
          It last accepted one <Moment at={since} />.
        </>
      ) : (
        'It has never accepted one.'
      );
    case 'payment_under_review':
      return (
        <>
          {reviewReasons[reason ?? ''] ?? 'The amount received differs from the amount asked for.'} <WhoDecides />
        </>
      );
    case 'key_expiring':
      return <>It ends {until && <Moment at={until} />}. Give its successor to your program before.</>;
    case 'rotation_staged':
      return (
        <>
          Both secrets sign <code>webhook-signature</code>
          {until && (
            <>
              , and the new one takes over <ComingMoment at={until} /> by itself
            </>
          )}
          .
        </>
      );
    default:
      return null;
  }
}

const reviewReasons: Record<string, string> = {
  paid_twice: 'The customer paid more than once.',
  refund_without_funds: 'The Collection wallet holds too little for a refund that was made at the payment processor.',
  disputed: 'The customer disputes it at the bank.',
};

function WhoDecides(): ReactNode {
  return useSession().user.role === 'operator'
    ? 'You decide it, as an operator of this service.'
    : 'The operator of this service decides.';
}

function Way({ kind, subject, count }: Attention): ReactNode {
  const mode = useMode();
  const { user } = useSession();
  const mayChange = useMayCall('updateWebhookEndpoint');
  const look = { size: 'xs', variant: 'default' } as const;
  switch (kind) {
    case 'endpoint_disabled':
      return (
        <ButtonLink {...look} to="/$mode/webhooks/$id" params={{ mode, id: subject }}>
          {mayChange ? 'Look at it and resume it' : 'Look at it'}
        </ButtonLink>
      );
    case 'endpoint_failing':
      return (
        <ButtonLink
          {...look}
          to="/$mode/deliveries"
          params={{ mode }}
          search={{ webhookId: subject, status: count ? 'failed' : 'retrying' }}
        >
          See what failed, and why
        </ButtonLink>
      );
    case 'payment_under_review':
      return user.role === 'operator' ? (
        <ButtonLink {...look} to="/$mode/operator" params={{ mode }} search={{ tab: 'payments' }}>
          Decide
        </ButtonLink>
      ) : (
        <ButtonLink {...look} to="/$mode/payments/$reference" params={{ mode, reference: subject }}>
          See the payment
        </ButtonLink>
      );
    case 'key_expiring':
      return (
        <ButtonLink {...look} to="/$mode/developers" params={{ mode }}>
          See the keys
        </ButtonLink>
      );
    case 'rotation_staged':
      return (
        <ButtonLink {...look} to="/$mode/webhooks/$id" params={{ mode, id: subject }} search={{ tab: 'secret' }}>
          {mayChange ? 'Complete the rotation' : 'See the rotation'}
        </ButtonLink>
      );
    default:
      return null;
  }
}
