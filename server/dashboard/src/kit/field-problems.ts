import { TillhookError } from '@tillhook/sdk/session';

/** What the service said of each field, for `form.setErrors`: `/recipient/name` is the field `recipient.name`. */
export function fieldProblems(error: Error | null): Record<string, string> {
  if (!(error instanceof TillhookError)) return {};
  const told = error.details.map(
    ({ path, message }) => [path.slice(1).replaceAll('/', '.'), sentence(message)] as const,
  );
  return Object.fromEntries(told.filter(([field]) => field !== ''));
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
