/**
 * Completion in a shell. The script of the shell calls `tillhook complete -- …` at each press of Tab. The library
 * prints to the process by itself.
 * See docs/decisions/process.md, "Completion calls this installation by its full path".
 */
import { fileURLToPath } from 'node:url';
import completions, { script } from '@bomb.sh/tab';
import register from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** The library adds a command of this name for its own script. `answerCompletions` removes it again. */
const unused = 'completion-script';

/**
 * Adds the hidden command `complete`, which prints what can stand next on the line. Of commands that another program
 * runs, only the names are completed.
 */
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
 * Removes `readonly` from the script for bash, because a shell that reads `readonly` variables a second time, as after
 * `source ~/.bashrc`, prints an error. The library gives its scripts to `console.log` only.
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
