/** The command that a user types: `npx @tillhook/mock listen` if installed, `npm run listen --` in the repository. */
import { basename } from 'node:path';

interface Place {
  moduleUrl: string;
  program: string;
}

interface CommandLines {
  installed: string;
  script: string;
  operator: string;
}

/** The commands whose names differ between the installed package, the repository and the operator's program. */
const named: Readonly<Record<string, Partial<CommandLines>>> = {
  mock: { installed: 'npx tillhook-mock', script: 'npm run mock' },
  event: { installed: 'npx tillhook-mock event', script: 'npm run mock:event --' },
  receiver: { installed: 'npx tillhook-receiver', script: 'npm run receiver --' },
  // The script is not named `verify`, because `npm run verify` checks the whole repository.
  verify: { script: 'npm run verify:webhook --' },
  // `npx tillhook deliveries` is taken: it is a different command, for operators.
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
  // The installed package is built, so its modules end in .mjs. The repository runs the source files.
  return moduleUrl.endsWith('.mjs') ? lines.installed : lines.script;
}

export function commandLine(command: string): string {
  return commandLineAt({ moduleUrl: import.meta.url, program: process.argv[1] ?? '' }, command);
}
