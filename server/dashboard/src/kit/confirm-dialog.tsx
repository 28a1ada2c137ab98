import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from './failure.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What the button does: "Revoke the key". */
  action: string;
  isDangerous?: boolean;
  isBusy: boolean;
  /** The button waits until what is typed in the dialog is complete. */
  isDisabled?: boolean;
  error: Error | null;
  /** Asks again after a lost answer; leave it out where asking twice would do it twice. */
  onTryAgain?: (() => void) | undefined;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen, and fields if something is to be typed. */
  children: ReactNode;
}

/** Asks before something is done that cannot be taken back, and stays open until the service has answered. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, action, isDangerous, isBusy, isDisabled, error, onTryAgain, onConfirm, onClose, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isDisabled) onConfirm();
  };
  return (
    <Modal opened onClose={() => !isBusy && onClose()} title={title}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text component="div" size="sm">
            {children}
          </Text>
          {error && <Failure error={error} onTryAgain={onTryAgain} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={isDisabled}
              {...(isDangerous && { color: 'var(--bad)', c: 'var(--panel)' })}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
