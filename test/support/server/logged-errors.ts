import type { OwnServer } from './tillhook.ts';

export function loggedErrors({ context: { log } }: Pick<OwnServer, 'context'>): string[] {
  const errors: string[] = [];
  const note = ({ err }: { err?: unknown }) => {
    if (err instanceof Error) errors.push(err.message);
  };
  Object.assign(log, { child: () => log, error: note, warn: note });
  return errors;
}
