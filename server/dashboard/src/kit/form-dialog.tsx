import { Button, Fieldset, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { Failure } from './failure.tsx';
import classes from './form-dialog.module.css';
import type { Asking } from './use-ask.ts';
import { useFocusAfterFailure } from './use-focus-after-failure.ts';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** What the dialog asks of the service, by `useAsk`. */
  asking: Pick<Asking<never>, 'isBusy' | 'isLost' | 'error' | 'again' | 'reset'>;
  /** Where asking again would do it again: what a lost answer means and what to look at first. */
  lostWords?: string;
  /** The failure is said beside a field already. */
  isErrorShown?: boolean;
  /** Called when the form is submitted; it checks what was typed and asks. */
  onSubmit: () => void;
  submitLabel: string;
  isDangerous?: boolean;
  /** The fields, and what will happen in words. Without fields it is a question. */
  children: ReactNode;
}

/**
 * Asks for what the service needs and waits for its answer. Keep it mounted while it is closed: when the answer was lost, what was
 * asked stays as it is, so that trying again repeats the very request.
 */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, isOpen, onClose, asking, onSubmit, children } = props;
  const { isBusy, error, again, reset } = asking;
  const isLost = asking.isLost && props.lostWords === undefined;
  const form = useRef<HTMLFormElement>(null);
  const noteSubmission = useFocusAfterFailure(form, asking);
  const close = () => {
    if (isBusy) return;
    if (!isLost) reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    // A dialog fades: the second click of two can still meet it, once the first has been answered.
    if (!isOpen || isBusy) return;
    noteSubmission();
    if (isLost) again();
    else onSubmit();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form ref={form} method="post" onSubmit={submit} noValidate>
        <Stack gap="md">
          <Fieldset className={classes.fields} variant="unstyled" disabled={isBusy || isLost}>
            <Stack gap="sm">{children}</Stack>
          </Fieldset>
          {error && !isBusy && !props.isErrorShown && (
            <Failure error={error}>
              {asking.isLost && props.lostWords !== undefined && <Text size="sm">{props.lostWords}</Text>}
              {isLost && (
                <Text size="sm">
                  Whether it has happened is not known. To try again is safe: the same request is sent under the same
                  key, and the service carries it out once.
                </Text>
              )}
            </Failure>
          )}
          <Buttons {...props} onClose={close} />
        </Stack>
      </form>
    </Modal>
  );
}

function Buttons({ asking, lostWords, submitLabel, isDangerous, onClose }: FormDialogProps): ReactNode {
  const { isBusy, reset } = asking;
  const isLost = asking.isLost && lostWords === undefined;
  return (
    <Group justify="flex-end" gap="xs">
      {isLost && !isBusy && (
        <Button variant="default" onClick={reset}>
          Change it
        </Button>
      )}
      <Button variant="default" onClick={onClose} disabled={isBusy}>
        Close
      </Button>
      <Button type="submit" loading={isBusy} {...(isDangerous && { color: 'var(--bad)', c: 'var(--panel)' })}>
        {isLost ? 'Try again' : submitLabel}
      </Button>
    </Group>
  );
}
