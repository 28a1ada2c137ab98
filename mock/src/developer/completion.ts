/** Completion of the command `mock` for the shells, where the package is installed. */
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Adds `completion <shell>`, which prints a script, and `complete`, with which the script asks. */
export function addCompletion(program: Command): void {
  tab(program as unknown as Parameters<typeof tab>[0], { completionCommandName: 'completion' });
}
