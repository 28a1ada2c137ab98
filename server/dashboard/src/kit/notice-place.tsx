import { Button, Group, Text } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { failureWords } from './failure-words.ts';

/** Long enough to read the message, to look at the change and to reach the button. */
const undoMs = 10_000;

export function NoticePlace(): ReactNode {
  return <Notifications position="bottom-right" aria-live="polite" />;
}

export function show(message: string, undo: (() => Promise<string>) | undefined): void {
  notifications.show({
    message: undo ? <Undoable message={message} undo={undo} /> : message,
    ...(undo && { autoClose: undoMs }),
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}

function Undoable({ message, undo }: { message: string; undo: () => Promise<string> }): ReactNode {
  const [words, setWords] = useState(message);
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  const run = async () => {
    setState('busy');
    try {
      setWords(await undo());
      setState('done');
    } catch (error) {
      setWords(failureWords(error instanceof Error ? error : new Error(String(error))).title);
      setState('open');
    }
  };
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <Text size="sm" inherit>
        {words}
      </Text>
      {state !== 'done' && (
        <Button size="compact-sm" variant="default" loading={state === 'busy'} onClick={() => void run()}>
          Undo
        </Button>
      )}
    </Group>
  );
}
