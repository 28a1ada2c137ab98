import { Button, type ButtonProps, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TillhookSession } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { useAsk } from './use-ask.ts';

interface ChangeButtonProps<Changed> {
  label: string;
  /** The name of the button for screen readers, where several on a page have the same label. */
  name?: string;
  size?: ButtonProps['size'];
  /** The question of the dialog. */
  title: string;
  /** The button in the dialog; `label` when omitted. */
  submitLabel?: string;
  isDangerous?: boolean;
  change: (tillhook: TillhookSession, options: { idempotencyKey: string }) => PromiseLike<Changed>;
  /** The first words of the keys of what is read anew afterwards. */
  changes: readonly string[];
  onDone?: (changed: Changed) => void;
  /** What will happen, in words. */
  children: ReactNode;
}

/** A button that asks whether something shall be changed, and changes it. */
export function ChangeButton<Changed>(props: ChangeButtonProps<Changed>): ReactNode {
  const { label, name, size = 'sm', title, submitLabel = label, isDangerous = false, change, changes, onDone } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const changing = useAsk({
    ask: (tillhook, _nothing: undefined, options) => change(tillhook, options),
    changes,
    onAnswer: (changed) => {
      onDone?.(changed);
      close();
    },
  });
  return (
    <>
      <Button size={size} variant="default" onClick={open} aria-label={name}>
        {label}
      </Button>
      <FormDialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        asking={changing}
        onSubmit={() => changing.ask(undefined)}
        submitLabel={submitLabel}
        isDangerous={isDangerous}
      >
        <Text size="sm">{props.children}</Text>
      </FormDialog>
    </>
  );
}
