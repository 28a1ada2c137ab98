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
import { readable } from '../kit/status-words.ts';
import { WhoDecides } from '../payments/who-decides.tsx';
import classes from './attention-list.module.css';

export function AttentionList({ attention }: { attention: readonly Attention[] }): ReactNode {
  if (attention.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className={classes.list}>
        {attention.map((entry) => (
          <li key={`${entry.kind} ${entry.subject}`} className={classes.entry}>
            <StatusBadge status={entry.kind} tone={badges[entry.kind]?.tone ?? 'warn'}>
              {badges[entry.kind]?.word ?? readable(entry.kind)}
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
  endpoint_disabled: { word: 'Disabled', tone: 'bad' },
  endpoint_failing: { word: 'Failing', tone: 'bad' },
  payment_under_review: { word: 'Needs review', tone: 'warn' },
  key_expiring: { word: 'Expires soon', tone: 'warn' },
  rotation_staged: { word: 'Rotation', tone: 'waiting' },
};

function Title({ kind, label, count }: Attention): ReactNode {
  const name = <bdi>{label}</bdi>;
  switch (kind) {
    case 'endpoint_disabled':
      return <>{name} is disabled: no webhooks are sent to it</>;
    case 'endpoint_failing':
      return <FailedDeliveries count={count} name={name} />;
    case 'payment_under_review':
      return <>Payment {name} is under review</>;
    case 'key_expiring':
      return <>The API key {name} was rolled</>;
    case 'rotation_staged':
      return <>A new signing secret of {name} is staged</>;
    default:
      return name;
  }
}

/** Without a count of failed deliveries, only attempts have failed so far, and the service will retry them. */
function FailedDeliveries({ count, name }: { count: number | null; name: ReactNode }): ReactNode {
  if (!count) return <>The latest attempts to {name} failed</>;
  if (count === 1) return <>The last delivery to {name} failed</>;
  return (
    <>
      The last {count} deliveries to {name} failed
    </>
  );
}

function Words({ kind, since, until, reason }: Attention): ReactNode {
  switch (kind) {
    case 'endpoint_disabled':
      return (
        <>
          {reason === 'repeated_failures'
            ? 'Every delivery of the last few days failed.'
            : `Reason: ${readable(reason ?? '')}.`}{' '}
          {since && (
            <>
              Disabled <Moment at={since} />.
            </>
          )}
        </>
      );
    case 'endpoint_failing':
      return since ? (
        <>
          It last accepted a webhook <Moment at={since} />.
        </>
      ) : (
        'It has never accepted a webhook.'
      );
    case 'payment_under_review':
      return (
        <>
          {reviewReasons[reason ?? ''] ?? 'The amount received differs from the amount requested.'}{' '}
          <WhoDecides reason={reason} />
        </>
      );
    case 'key_expiring':
      return <>It expires {until && <Moment at={until} />}. Give your program the new key before then.</>;
    case 'rotation_staged':
      return (
        until && (
          <>
            Both secrets sign <code>webhook-signature</code>, and the new one takes over <ComingMoment at={until} />{' '}
            automatically.
          </>
        )
      );
    default:
      return null;
  }
}

const reviewReasons: Record<string, string> = {
  paid_late: 'A bank transfer arrived after the payment had ended.',
  paid_twice: 'The customer paid more than once.',
  refund_without_funds: 'The Collection wallet balance is too low for a refund made at the payment processor.',
  disputed: 'The customer disputed it with their bank.',
};

function Way({ kind, subject, count }: Attention): ReactNode {
  const mode = useMode();
  const { user } = useSession();
  const mayChange = useMayCall('updateWebhookEndpoint');
  const look = { size: 'xs', variant: 'default' } as const;
  switch (kind) {
    case 'endpoint_disabled':
      return (
        <ButtonLink {...look} to="/$mode/webhooks/$id" params={{ mode, id: subject }}>
          {mayChange ? 'View and resume' : 'View endpoint'}
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
          View failures
        </ButtonLink>
      );
    case 'payment_under_review':
      return user.role === 'operator' ? (
        <ButtonLink {...look} to="/$mode/operator" params={{ mode }} search={{ tab: 'payments' }}>
          Decide
        </ButtonLink>
      ) : (
        <ButtonLink {...look} to="/$mode/payments/$reference" params={{ mode, reference: subject }}>
          View payment
        </ButtonLink>
      );
    case 'key_expiring':
      return (
        <ButtonLink {...look} to="/$mode/developers" params={{ mode }}>
          View keys
        </ButtonLink>
      );
    case 'rotation_staged':
      return (
        <ButtonLink {...look} to="/$mode/webhooks/$id" params={{ mode, id: subject }} search={{ tab: 'secret' }}>
          {mayChange ? 'Complete rotation' : 'View rotation'}
        </ButtonLink>
      );
    default:
      return null;
  }
}
