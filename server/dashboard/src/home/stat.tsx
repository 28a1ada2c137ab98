import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { lazyFormat } from '../kit/locale.ts';

interface StatProps {
  label: string;
  value: ReactNode;
  before?: ReactNode;
}

export function Stat({ label, value, before }: StatProps): ReactNode {
  return (
    <Paper p="sm">
      <Stack gap={2}>
        <Text size="xs" c="dimmed" fw={600}>
          {label}
        </Text>
        <Text fz={{ base: 16, sm: 22 }} fw={600} lh={1.25}>
          {value}
        </Text>
        <Text size="xs" c="dimmed">
          {before ?? ' '}
        </Text>
      </Stack>
    </Paper>
  );
}

const percent = lazyFormat((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
const change = lazyFormat(
  (locale) =>
    new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: 0,
      signDisplay: 'exceptZero',
    }),
);
export const count = lazyFormat((locale) => new Intl.NumberFormat(locale));

/** The percentage has one decimal. A larger share is shown as all of it only when it is all of it. */
const mostOfAll = 0.999;

/** Returns a percentage; null when the whole is zero. */
export function share(part: number, whole: number): string | null {
  return whole === 0 ? null : percent().format(part < whole ? Math.min(part / whole, mostOfAll) : 1);
}

/** Returns "+12%" or "-3%"; null when the previous value was zero. */
export function changeOf(now: number, before: number): string | null {
  return before === 0 ? null : change().format((now - before) / before);
}

export function comparedWith(before: ReactNode, difference: string | null): ReactNode {
  return (
    <>
      {before} before{difference !== null && `, ${difference}`}
    </>
  );
}
