import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Asking } from './use-ask.ts';

/**
 * When a submission fails, moves the focus to the first wrong field, or back to where it was: the fields are disabled
 * during the request, and therefore lose the focus. Call the returned function when the form is submitted.
 */
export function useFocusAfterFailure(
  form: RefObject<HTMLFormElement | null>,
  { error, isBusy }: Pick<Asking<never>, 'error' | 'isBusy'>,
): () => void {
  const submittedFrom = useRef<Element>(null);
  const [submissions, setSubmissions] = useState(0);
  const [failure, setFailure] = useState<Error | null>(null);
  // Dialogs mark wrong fields in an effect too, so the wrong fields are known after the next render.
  useEffect(() => setFailure(isBusy ? null : error), [error, isBusy]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each submission, which the dialog itself may refuse.
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
  // After a lost answer the fields stay disabled.
  if (isFocusLost()) form?.querySelector<HTMLElement>('[type=submit]')?.focus();
}

function firstWrong(form: HTMLFormElement | null): HTMLElement | null {
  return form?.querySelector<HTMLElement>('[aria-invalid=true]:enabled') ?? null;
}
