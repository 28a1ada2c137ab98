/**
 * Returns the command that sends an event: the program of the installed package, or the npm script in the repository.
 */
export function eventCommandAt(moduleUrl: string): string {
  // Only the package is built. In the repository the sources run directly.
  return moduleUrl.endsWith('.mjs') ? 'npx tillhook-mock event' : 'npm run mock:event --';
}

/** The command that starts the mock, in the same form. */
export const mockCommand = eventCommandAt(import.meta.url).startsWith('npx') ? 'npx tillhook-mock' : 'npm run mock';

export const eventCommand = eventCommandAt(import.meta.url);

/** The command that starts the receiver. */
export const receiverCommand = mockCommand.startsWith('npx') ? 'npx tillhook-receiver' : 'npm run receiver --';
