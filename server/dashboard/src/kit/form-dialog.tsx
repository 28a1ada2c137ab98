import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { type ProcessorNeed, useLacksProcessor } from '../app/live-needs.ts';
import { Callout } from './callout.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { lackWords } from './form-button.tsx';
import classes from './form-dialog.module.css';
import type { ServiceMutation } from './use-service-mutation.ts';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  mutation: Pick<ServiceMutation<never>, 'isBusy' | 'isLost' | 'error' | 'again' | 'reset'>;
  /** For a request that must not be retried: what a lost response means and what the user should check first. */
  lostWords?: string;
  /** Whether a field already shows the error. */
  isErrorShown?: boolean;
  /** Must validate the typed values and send the request. */
  onSubmit: () => void;
  submitLabel: string;
  /** In live mode, the dialog says before its fields that the operator has not set up this processor. */
  needs?: ProcessorNeed;
  /** While true, clicks neither submit the form nor close the dialog. */
  isWaiting?: boolean;
  /** In place of Cancel: the step before, or a word for a dialog that cancels something itself. */
  secondary?: { label: string; onClick?: () => void };
  isDangerous?: boolean;
  /** Without fields, the dialog only asks for confirmation. */
  children: ReactNode;
}

/** The caller must keep the closed dialog mounted, because it keeps a request with a lost response for "Try again". */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, isOpen, onClose, mutation, onSubmit, children } = props;
  const { isBusy, error, again, reset } = mutation;
  const isLost = mutation.isLost && props.lostWords === undefined;
  const cannotWork = useLacksProcessor(props.needs);
  const form = useRef<HTMLFormElement>(null);
  const setForm = (node: HTMLFormElement | null) => {
    form.current = node;
    if (node) focusFirstField(node);
  };
  const noteSubmission = useFocusAfterFailure(form, mutation);
  const close = () => {
    if (isBusy || props.isWaiting) return;
    if (!isLost) reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    // A closed dialog is visible while it fades out, so the second click of a double click can submit the form again.
    if (!isOpen || isBusy || cannotWork) return;
    noteSubmission();
    if (isLost) again();
    else onSubmit();
  };
  return (
    <Dialog opened={isOpen} onClose={close} title={title}>
      <form ref={setForm} method="post" onSubmit={submit} noValidate>
        <Stack gap="md">
          <LacksProcessor needs={props.needs} />
          <Fieldset className={classes.fields} variant="unstyled" disabled={isBusy || isLost}>
            <Stack gap="sm">{children}</Stack>
          </Fieldset>
          {error && !isBusy && !props.isErrorShown && (
            <Failure error={error}>
              {mutation.isLost && props.lostWords !== undefined && <Text size="sm">{props.lostWords}</Text>}
              {isLost && (
                <Text size="sm">
                  We do not know whether this was done. It is safe to try again: the service does it only once.
                </Text>
              )}
            </Failure>
          )}
          <Buttons {...props} onClose={close} />
        </Stack>
      </form>
    </Dialog>
  );
}

function LacksProcessor({ needs }: Pick<FormDialogProps, 'needs'>): ReactNode {
  if (!useLacksProcessor(needs) || !needs) return null;
  return (
    <Callout tone="warn" title={lackWords[needs].title}>
      {lackWords[needs].text}
    </Callout>
  );
}

/** A dialog focuses the element with `data-autofocus`, or else its Close button. */
function focusFirstField(form: HTMLFormElement): void {
  if (form.querySelector('[data-autofocus]')) return;
  const field = form.querySelector(':is(input:not([type=hidden], [type=file]), select, textarea)');
  field?.setAttribute('data-autofocus', 'true');
}

function Buttons(props: FormDialogProps): ReactNode {
  const { mutation, lostWords, submitLabel, needs, isWaiting, secondary, isDangerous, onClose } = props;
  const cannotWork = useLacksProcessor(needs);
  const { isBusy, reset } = mutation;
  const isLost = mutation.isLost && lostWords === undefined;
  return (
    <Group className={classes.foot} justify="flex-end" gap="xs">
      {isLost && !isBusy && (
        <Button variant="default" onClick={reset}>
          Edit
        </Button>
      )}
      <Button variant="default" onClick={(!isLost && secondary?.onClick) || onClose} disabled={isBusy || isWaiting}>
        {isLost ? 'Close' : (secondary?.label ?? 'Cancel')}
      </Button>
      <Button
        type="submit"
        loading={isBusy}
        disabled={isWaiting || cannotWork}
        {...(isDangerous && { color: 'var(--bad)', c: 'var(--panel)' })}
      >
        {isLost ? 'Try again' : submitLabel}
      </Button>
    </Group>
  );
}

/**
 * Moves the focus back into the form after a failure, because fields that are disabled during the request lose the
 * focus. The form must call the returned function on submit.
 */
export function useFocusAfterFailure(
  form: RefObject<HTMLFormElement | null>,
  { error, isBusy }: Pick<ServiceMutation<never>, 'error' | 'isBusy'>,
): () => void {
  const submittedFrom = useRef<Element>(null);
  const [submissions, setSubmissions] = useState(0);
  const [failure, setFailure] = useState<Error | null>(null);
  // A dialog marks its wrong fields in an effect of its form, so this hook can find them only after the next render.
  useEffect(() => setFailure(isBusy ? null : error), [error, isBusy]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each submission, because the form's own validation may reject it without a request.
  useEffect(() => firstWrong(form.current)?.focus(), [submissions]);
  useEffect(() => {
    if (failure) focusAfter(form.current, submittedFrom.current);
  }, [failure, form]);
  return () => {
    submittedFrom.current = document.activeElement;
    setSubmissions((before) => before + 1);
  };
}

function focusAfter(form: HTMLFormElement | null, submittedFrom: Element | null): void {
  const isFocusLost = () => document.activeElement === document.body;
  const wrong = firstWrong(form);
  if (wrong) wrong.focus();
  else if (isFocusLost() && submittedFrom instanceof HTMLElement) submittedFrom.focus();
  // After a lost response the fields stay disabled, so the submit button gets the focus.
  if (isFocusLost()) form?.querySelector<HTMLElement>('[type=submit]')?.focus();
}

function firstWrong(form: HTMLFormElement | null): HTMLElement | null {
  return form?.querySelector<HTMLElement>('[aria-invalid=true]:enabled') ?? null;
}
