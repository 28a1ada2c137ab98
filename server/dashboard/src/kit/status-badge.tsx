import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'waiting' | 'plain';

/** Every status of the contract. One that a newer service has is shown plain. */
const tones: Record<string, Tone> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  pending: 'waiting',
  processing: 'waiting',
  failed: 'bad',
  reversed: 'warn',
  disabled: 'bad',
  expired: 'plain',
  skipped: 'plain',
  paused: 'plain',
  archived: 'plain',
  revoked: 'plain',
};

interface StatusProps {
  status: string;
  /** Where the status has another meaning than it usually has. */
  tone?: Tone;
  children?: ReactNode;
}

/** A state in a word and in a colour. */
export function StatusBadge({ status, tone, children }: StatusProps): ReactNode {
  return (
    <Badge className={classes.badge} data-tone={tone ?? tones[status] ?? 'plain'} variant="light">
      {children ?? status.replaceAll('_', ' ')}
    </Badge>
  );
}
