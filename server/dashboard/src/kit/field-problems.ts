import { TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useEffect } from 'react';
import { problemSentence } from './problem-words.ts';

/**
 * The problems that the service found, by field, for `form.setErrors`. `/recipient/name` is the field
 * `recipient.name`.
 */
export function fieldProblems(error: Error | null): Record<string, string> {
  if (!(error instanceof TillhookError)) return {};
  const problems = error.details.map(
    ({ path, message }) => [path.slice(1).replaceAll('/', '.'), problemSentence(message)] as const,
  );
  return Object.fromEntries(problems.filter(([field]) => field !== ''));
}

/**
 * Shows below each field the problem that the service found. `byCode` has the sentences for refusals that name no
 * field.
 */
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
