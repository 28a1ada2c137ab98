import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Callout } from './callout.tsx';
import { CodeBlock } from './code-block.tsx';
import { Dialog } from './dialog.tsx';
import { Download } from './icons.tsx';

interface ShownOnceProps {
  title: string;
  about: ReactNode;
  value: string;
  /** The name of the value: "the key", "the recovery codes". */
  what: string;
  /** Whether `what` is a plural. */
  isSeveral?: boolean;
  fileName?: string;
  onClose: () => void;
}

/** Asks for confirmation when the user closes the dialog without having copied the value. */
export function ShownOnce({ title, about, value, what, isSeveral, fileName, onClose }: ShownOnceProps): ReactNode {
  const [isKept, setIsKept] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = () => (isKept || isLeaving ? onClose() : setIsLeaving(true));
  const keep = () => {
    setIsKept(true);
    setIsLeaving(false);
  };
  return (
    <Dialog opened onClose={leave} title={title} size="lg" closeOnClickOutside={false}>
      <Stack gap="sm">
        <Text component="div" size="sm">
          {about}
        </Text>
        <CodeBlock text={value} what={what} onCopy={keep} />
        {isLeaving && (
          <Callout tone="warn" isAnswer title="Close without copying?">
            <Text size="sm">
              {isSeveral
                ? 'They cannot be shown again. Copy them now, or create new ones later.'
                : 'It cannot be shown again. Copy it now, or create a new one later.'}
            </Text>
          </Callout>
        )}
        <Group justify="flex-end" gap="xs">
          {fileName && (
            <Button
              variant="default"
              component="a"
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${value}\n`)}`}
              download={fileName}
              leftSection={<Download size={16} aria-hidden />}
              onClick={keep}
            >
              Download as text
            </Button>
          )}
          <Button variant={isKept ? 'filled' : 'default'} onClick={leave}>
            {isLeaving ? 'Close without copying' : 'Done'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
