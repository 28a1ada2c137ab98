import { TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useEffect } from 'react';
import { problemSentence } from './problem-words.ts';

/** The keys are the form's field names: `/recipient/name` becomes `recipient.name`. */
export function fieldProblems(error: Error | null): Record<string, string> {
  if (!(error instanceof TillhookError)) return {};
  const problems = error.details.map(
    ({ path, message }) => [path.slice(1).replaceAll('/', '.'), problemSentence(message)] as const,
  );
  return Object.fromEntries(problems.filter(([field]) => field !== ''));
}

/** `byCode` has the messages for error codes that come without a field name. */
export function useFieldErrors(
  form: { setErrors: (errors: Record<string, ReactNode>) => void },
  error: Error | null,
  byCode: Readonly<Record<string, Record<string, ReactNode>>> = {},
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each error is shown once; typing into the field clears it.
  useEffect(() => {
    if (!(error instanceof TillhookError)) return;
    form.setErrors({ ...byCode[error.code ?? ''], ...fieldProblems(error) });
  }, [error]);
}
