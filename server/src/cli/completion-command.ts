import { Argument, type Command } from 'commander';
import { example } from './example.ts';

/** The shells whose scripts are tested. */
const shells = ['bash', 'zsh', 'fish'];

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options; bash needs bash-completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText('after', example('source <(tillhook completion bash)'))
    .action(async (shell: string) => (await import('./completion.ts')).printScript(shell));
}
