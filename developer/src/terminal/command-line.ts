/** How the user can type a command: with npx where the package is installed, as an npm script in the repository. */
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
  /** With the command of the operator, which leads to those of the developer. */
  operator: string;
}

/** The commands that do not have the same name everywhere. */
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
  // Only the package is built. In the repository the sources run directly.
  return moduleUrl.endsWith('.mjs') ? lines.installed : lines.script;
}

export function commandLine(command: string): string {
  return commandLineAt({ moduleUrl: import.meta.url, program: process.argv[1] ?? '' }, command);
}
