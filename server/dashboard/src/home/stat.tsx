import { Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { Overview } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { lazyFormat } from '../kit/locale.ts';

interface StatProps {
  label: string;
  value: ReactNode;
  /** A line below the value, such as the comparison with the previous period. */
  note?: ReactNode;
  details?: ReactNode;
}

export function Stat({ label, value, note, details }: StatProps): ReactNode {
  return (
    <Paper p="sm">
      <Stack gap={2}>
        <Text size="xs" c="dimmed" fw={600}>
          {label}
        </Text>
        <Text component="div" fz={{ base: 16, sm: 20 }} fw={600} lh={1.25} lts="-0.02em">
          {value}
        </Text>
        <Text component="div" size="xs" c="dimmed">
          {note || '\u00a0'}
        </Text>
        {details && (
          <Text component="div" size="xs" c="dimmed">
            {details}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

const percent = lazyFormat((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
const points = lazyFormat((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const wholePercent = lazyFormat(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
);
export const count = lazyFormat((locale) => new Intl.NumberFormat(locale));

/** The percentage has one decimal. A larger share is shown as all of it only when it is all of it. */
const mostOfAll = 0.999;

/** Returns a percentage; null when the whole is zero. */
export function share(part: number, whole: number): string | null {
  return whole === 0 ? null : percent().format(part < whole ? Math.min(part / whole, mostOfAll) : 1);
}

interface ComparedProps {
  days: Overview['days'];
  now: number | null;
  before: number | null;
  /** Shown when the pointer rests on the comparison. */
  write: (value: number) => string;
  /** The values are shares from 0 to 1, which are compared by their difference. */
  isShare?: boolean;
}

/** Compares a value with that of the previous period, unless both are zero or one of them does not exist. */
export function Compared({ days, now, before, write, isShare = false }: ComparedProps): ReactNode {
  if (now === null || before === null || (now === 0 && before === 0)) return '\u00a0';
  const written = write(before);
  if (before === 0 && !isShare) return noneBefore[days];
  // A net volume may be negative.
  const change = Math.round(((now - before) / Math.abs(before)) * 100);
  const difference = isShare ? Math.round((now - before) * 1000) / 10 : change;
  if (difference === 0) return <span title={written}>{sameAsBefore[days]}</span>;
  const amount = isShare
    ? `${points().format(Math.abs(difference))} points`
    : wholePercent().format(Math.abs(difference) / 100);
  return (
    <span title={written}>
      <span aria-hidden>{difference > 0 ? '▲' : '▼'} </span>
      <VisuallyHidden>{difference > 0 ? 'Up ' : 'Down '}</VisuallyHidden>
      {amount} {versus[days]}
    </span>
  );
}

const versus = {
  1: 'vs. yesterday',
  7: 'vs. previous 7 days',
  30: 'vs. previous 30 days',
  90: 'vs. previous 90 days',
};

const sameAsBefore = {
  1: 'Same as yesterday',
  7: 'Same as previous 7 days',
  30: 'Same as previous 30 days',
  90: 'Same as previous 90 days',
};

const noneBefore = {
  1: 'Yesterday: none',
  7: 'Previous 7 days: none',
  30: 'Previous 30 days: none',
  90: 'Previous 90 days: none',
};
