/**
 * Completion in a shell. The script of the shell calls `tillhook complete -- …` at each press of Tab. The library
 * prints to the process by itself.
 * See docs/decisions/process.md, "Completion calls this installation by its full path".
 */
import { fileURLToPath } from 'node:url';
import completions, { script } from '@bomb.sh/tab';
import register from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** The library adds a command of this name for its own script, which is taken away again. */
const unused = 'completion-script';

/**
 * Adds the hidden command `complete`, which prints what can stand next on the line. The commands that another program
 * runs are completed by name only.
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
