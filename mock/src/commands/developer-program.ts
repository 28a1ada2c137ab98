import { developerWords, runDeveloperCommand } from '@tillhook/developer/program';
import { toleratePipeEnd } from '@tillhook/developer/terminal/environment';
import { settingsHere } from '@tillhook/developer/terminal/service-settings';

/** npm and the terminal both send a signal on Ctrl-C. A second signal within this time belongs to the same Ctrl-C. */
const sameInterruptMs = 250;

const args = process.argv.slice(2);
if (developerWords.includes(args[0] ?? '')) await run();
else await import('./mock-program.ts');

async function run(): Promise<void> {
  const interrupting = new AbortController();
  let interruptedAt = 0;
  const interrupt = () => {
    if (interrupting.signal.aborted && Date.now() - interruptedAt > sameInterruptMs) process.exit(130);
    interruptedAt ||= Date.now();
    interrupting.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // `listen` would run for ever after the program that reads its output has ended.
  toleratePipeEnd(args[0] === 'listen' ? () => process.exit(0) : undefined);
  process.exitCode = await runDeveloperCommand(args, {
    env: settingsHere(process.env),
    stdout: process.stdout,
    stderr: process.stderr,
    interrupted: interrupting.signal,
  });
}
