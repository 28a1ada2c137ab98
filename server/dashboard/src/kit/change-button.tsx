import { Button, type ButtonProps, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TillhookSession } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { useServiceMutation } from './use-service-mutation.ts';

interface ChangeButtonProps<Changed> {
  label: string;
  /** The accessible name of the button, for a page where several buttons have the same label. */
  name?: string;
  size?: ButtonProps['size'];
  title: string;
  /** The label of the submit button; `label` when omitted. */
  submitLabel?: string;
  /** The label of the button that changes nothing; Cancel when omitted. */
  keepLabel?: string;
  isDangerous?: boolean;
  change: (tillhook: TillhookSession, options: { idempotencyKey: string }) => PromiseLike<Changed>;
  /** The first elements of the query keys whose data is read again after the change. */
  changes: readonly string[];
  onDone?: (changed: Changed) => void;
  children: ReactNode;
}

/** The open dialog keeps the change for which it was opened, even when the page passes the opposite change. */
export function ChangeButton<Changed>(props: ChangeButtonProps<Changed>): ReactNode {
  const [opened, setOpened] = useState(props);
  const {
    label,
    title,
    submitLabel = label,
    keepLabel,
    isDangerous = false,
    change,
    changes,
    onDone,
    children,
  } = opened;
  const [isOpen, { open, close }] = useDisclosure();
  const changing = useServiceMutation({
    // The title is part of the input, so that a different change has its own idempotency key.
    mutate: (tillhook, _title: string, options) => change(tillhook, options),
    changes,
    onAnswer: (changed) => {
      onDone?.(changed);
      close();
    },
  });
  const begin = () => {
    if (props.title !== title) changing.reset();
    setOpened(props);
    open();
  };
  return (
    <>
      <Button size={props.size ?? 'sm'} variant="default" onClick={begin} aria-label={props.name}>
        {props.label}
      </Button>
      <FormDialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        mutation={changing}
        onSubmit={() => changing.mutate(title)}
        submitLabel={submitLabel}
        {...(keepLabel && { secondary: { label: keepLabel } })}
        isDangerous={isDangerous}
      >
        <Text size="sm">{children}</Text>
      </FormDialog>
    </>
  );
}
