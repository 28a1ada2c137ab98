import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './status-badge.module.css';
import { statusWord } from './status-words.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'waiting' | 'plain';

/** A status that a newer service adds is shown without a colour. */
const tones: Record<string, Tone> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  pending: 'waiting',
  processing: 'waiting',
  failed: 'bad',
  reversed: 'warn',
  retrying: 'warn',
  needs_review: 'warn',
  disabled: 'bad',
  expired: 'plain',
  cancelled: 'plain',
  skipped: 'plain',
  paused: 'plain',
  stopped: 'plain',
  limit_reached: 'plain',
  archived: 'plain',
  revoked: 'plain',
};

interface StatusProps {
  status: string;
  tone?: Tone;
  children?: ReactNode;
}

export function StatusBadge({ status, tone, children }: StatusProps): ReactNode {
  return (
    <Badge className={classes.badge} data-tone={tone ?? tones[status] ?? 'plain'} variant="light">
      {children ?? statusWord(status)}
    </Badge>
  );
}
