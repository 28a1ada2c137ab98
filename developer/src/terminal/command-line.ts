/**
 * The command line that a user types: `npx @tillhook/mock listen` where the package is installed, `npm run listen --`
 * in the repository.
 */
import { basename } from 'node:path';

interface Place {
  /** The address of a module of this program. */
  moduleUrl: string;
  /** The path of the program that was started. */
  program: string;
}

interface CommandLines {
  installed: string;
  script: string;
  /** By the operator's command, which also runs the developer's commands. */
  operator: string;
}

/** Commands whose name differs between these places. */
const named: Readonly<Record<string, Partial<CommandLines>>> = {
  mock: { installed: 'npx tillhook-mock', script: 'npm run mock' },
  event: { installed: 'npx tillhook-mock event', script: 'npm run mock:event --' },
  receiver: { installed: 'npx tillhook-receiver', script: 'npm run receiver --' },
  // `npm run verify` is the repository's own check.
  verify: { script: 'npm run verify:webhook --' },
  // `npx tillhook deliveries` is the operator's own command.
  deliveries: { operator: 'npm run deliveries --' },
};

export function commandLineAt({ moduleUrl, program }: Place, command: string): string {
  const usual: CommandLines = {
    installed: `npx @tillhook/mock ${command}`,
    script: `npm run ${command} --`,
    operator: `npx tillhook ${command}`,
  };
  const lines = { ...usual, ...named[command] };
  if (/^tillhook([.]js)?$/.test(basename(program))) return lines.operator;
  // The installed package is built, so its modules end in .mjs. In the repository the sources run.
  return moduleUrl.endsWith('.mjs') ? lines.installed : lines.script;
}

export function commandLine(command: string): string {
  return commandLineAt({ moduleUrl: import.meta.url, program: process.argv[1] ?? '' }, command);
}
