import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './callout.module.css';
import type { Tone } from './status-badge.tsx';

interface CalloutProps {
  tone: Tone;
  title: ReactNode;
  children?: ReactNode;
  /** Whether screen readers announce the message at once, because it is the result of a user's action. */
  isAnswer?: boolean;
}

export function Callout({ tone, title, children, isAnswer }: CalloutProps): ReactNode {
  return (
    <Alert
      role={isAnswer ? 'status' : 'note'}
      data-tone={tone}
      className={classes.callout}
      classNames={{ title: classes.title ?? '', message: classes.message ?? '' }}
      title={title}
    >
      {children && (
        <Stack gap="xs" align="flex-start">
          {typeof children === 'string' ? <Text size="sm">{children}</Text> : children}
        </Stack>
      )}
    </Alert>
  );
}
