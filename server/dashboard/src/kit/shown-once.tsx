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
  /** The name of the value: "key", "recovery codes". */
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
        <CodeBlock text={value} what={`the ${what}`} onCopy={keep} />
        {isLeaving && (
          <Callout tone="warn" isAnswer title={`The ${what} cannot be shown again`}>
            <Text size="sm">
              You have not copied the {what} yet.{' '}
              {isSeveral
                ? 'Copy them now, or close without them and make new ones when you need them.'
                : 'Copy it now, or close without it and make a new one when you need it.'}
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
            {isLeaving ? `Close without the ${what}` : 'Done'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
