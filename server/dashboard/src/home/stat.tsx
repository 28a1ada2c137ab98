import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { locale } from '../kit/locale.ts';

interface StatProps {
  label: string;
  value: ReactNode;
  /** The figure of the time before, and how this one differs from it. */
  before?: ReactNode;
}

/** One figure, beside that of the time before. */
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

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
export const count = new Intl.NumberFormat(locale);

/** `null` where there is nothing to take a part of. */
export function share(part: number, whole: number): string | null {
  return whole === 0 ? null : percent.format(part / whole);
}

/** "+12%", "-3%"; null where there was nothing before to compare with. */
export function changeOf(now: number, before: number): string | null {
  return before === 0 ? null : change.format((now - before) / before);
}

/** A number with the one before and the change. */
export function comparedWith(before: ReactNode, difference: string | null): ReactNode {
  return (
    <>
      {before} before{difference !== null && `, ${difference}`}
    </>
  );
}
