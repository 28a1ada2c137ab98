/** The command as the user can type it: with npx where the package is installed, as an npm script in the repository. */
import { basename } from 'node:path';

interface Place {
  /** The address of a module of this program. */
  moduleUrl: string;
  /** The path of the program that was started. */
  program: string;
}

/** `npm run verify` is the repository's own check, so the script of that command has another name. */
const scripts: Readonly<Record<string, string>> = { verify: 'verify:webhook' };

export function spokenCommandAt({ moduleUrl, program }: Place, command: string): string {
  if (/^tillhook([.]js)?$/.test(basename(program))) return `npx tillhook ${command}`;
  // Only the package is built. In the repository the sources run directly.
  return moduleUrl.endsWith('.mjs') ? `npx @tillhook/mock ${command}` : `npm run ${scripts[command] ?? command} --`;
}

export const spokenCommand = (command: string): string =>
  spokenCommandAt({ moduleUrl: import.meta.url, program: process.argv[1] ?? '' }, command);
