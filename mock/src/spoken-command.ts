/** How a command of this package is called where this file runs: by the name of its program, or by npm in the repository. */
export function eventCommandAt(moduleUrl: string): string {
  // Only the package is built; in the repository the sources run as they are.
  return moduleUrl.endsWith('.mjs') ? 'npx tillhook-mock event' : 'npm run mock:event --';
}

export const eventCommand = eventCommandAt(import.meta.url);
