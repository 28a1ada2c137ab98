// See docs/decisions/process.md, "Completion calls this installation by its full path".
import { fileURLToPath } from 'node:url';
import completions, { script } from '@bomb.sh/tab';
import register from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** The library adds a command with this name for its own script. `answerCompletions` removes the command. */
const unused = 'completion-script';

/** Completes only the names, and no options, of the commands that another package provides. */
export function answerCompletions(program: Command, commandsElsewhere: readonly string[]): void {
  register(program, { completionCommandName: unused });
  completions.commands.delete(unused);
  for (const command of completions.commands.values()) command.option('json', 'answer in JSON');
  for (const name of commandsElsewhere) completions.command(name, 'for developers, with an API key');
}

export function printScript(shell: string): void {
  const command = fileURLToPath(new URL('../../bin/tillhook.js', import.meta.url));
  printSourceable(() => script(shell, 'tillhook', `'${process.execPath}' '${command}'`));
}

/**
 * Removes `readonly` from the script for bash: a shell prints an error when it executes a `readonly` line a second
 * time, as after `source ~/.bashrc`. The completion library does not return its script, but prints it with
 * `console.log`, so this function replaces `console.log` during the call.
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
