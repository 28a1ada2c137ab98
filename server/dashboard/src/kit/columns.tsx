import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './columns.module.css';

interface ColumnsProps {
  /** What happened, which a narrow window shows first. */
  main: ReactNode;
  /** What the record has: its details, people and metadata. */
  side: ReactNode;
}

export function Columns({ main, side }: ColumnsProps): ReactNode {
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        {main}
      </Stack>
      <Stack gap="md" miw={0}>
        {side}
      </Stack>
    </div>
  );
}
