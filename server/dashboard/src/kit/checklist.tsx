import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './checklist.module.css';
import { CircleCheck, CircleDashed } from './icons.tsx';

interface ChecklistProps {
  title: ReactNode;
  about: ReactNode;
  done: number;
  total: number;
  isWarning?: boolean;
  isOpen: boolean;
  onToggle: () => void;
  /** Omitted while the list may not be hidden. */
  onHide?: (() => void) | undefined;
  children: ReactNode;
}

/** Steps that tick themselves. */
export function Checklist(props: ChecklistProps): ReactNode {
  const { title, about, done, total, isWarning, isOpen, onToggle, onHide, children } = props;
  const id = useId();
  return (
    <Paper
      component="section"
      p="md"
      aria-labelledby={id}
      {...(isWarning && { bg: 'var(--warn-soft)', style: { borderColor: 'var(--warn-line)' } })}
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <div id={id}>{title}</div>
          <Group gap="xs">
            <Text size="sm" className={classes.count} role="status">
              {done} of {total} done
            </Text>
            <Button size="xs" variant="default" onClick={onToggle} aria-expanded={isOpen}>
              {isOpen ? 'Show less' : 'Show the list'}
            </Button>
            {onHide && (
              <Button size="xs" variant="default" onClick={onHide}>
                Hide this list
              </Button>
            )}
          </Group>
        </Group>
        <Text component="div" size="sm" maw={720}>
          {about}
        </Text>
        {isOpen && children}
      </Stack>
    </Paper>
  );
}

export function Tick({ isDone }: { isDone: boolean }): ReactNode {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <Icon
      size={20}
      className={classes.tick}
      data-done={isDone || undefined}
      role="img"
      aria-label={isDone ? 'Done' : 'To do'}
    />
  );
}
