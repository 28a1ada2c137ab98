import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { spans } from './home-search.ts';
import { usualDays } from './overview-read.ts';
import classes from './period-choice.module.css';

export function PeriodChoice(): ReactNode {
  const { days = usualDays } = useSearch({ from: '/$mode/' });
  const navigate = useNavigate({ from: '/$mode/' });
  const choose = (chosen: string) =>
    void navigate({ search: { days: spans.find((span) => span === chosen && span !== usualDays) } });
  return (
    <SegmentedControl
      size="xs"
      classNames={{ root: classes.spans, indicator: classes.span, label: classes.label }}
      aria-label="Period"
      value={days}
      onChange={choose}
      data={[
        { value: '1', label: 'Today' },
        { value: '7', label: '7 days' },
        { value: '30', label: '30 days' },
        { value: '90', label: '90 days' },
      ]}
    />
  );
}
