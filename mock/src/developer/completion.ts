/** Completion of the command `mock` for the shells, where the package is installed. */
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Adds `completion <shell>`, which prints a script, and `complete`, with which the script asks. */
export function addCompletion(program: Command): void {
  const completions = tab(program as unknown as Parameters<typeof tab>[0], { completionCommandName: 'completion' });
  const printScript = completions.setup.bind(completions);
  completions.setup = (...of) => printSourceable(() => printScript(...of));
}

/**
 * Takes `readonly` from the variables of the script for bash. With it, a shell that reads the script a second time
 * prints an error, such as after `source ~/.bashrc`. The library gives its scripts to `console.log` only.
 */
function printSourceable(print: () => void): void {
  const { log } = console;
  console.log = (text: string) => log(text.replaceAll(/^readonly (?=ShellComp)/gm, ''));
  try {
    print();
  } finally {
    console.log = log;
  }
}
