import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './callout.module.css';
import type { Tone } from './status-badge.tsx';

interface CalloutProps {
  tone: Tone;
  title: ReactNode;
  /** Sentences, and below them the buttons for the actions that they describe. */
  children?: ReactNode;
  /** Whether screen readers read it at once, because it is the answer to an action of the user. */
  isAnswer?: boolean;
}

/** The most important message of a page: a state, what it means and what to do. */
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
