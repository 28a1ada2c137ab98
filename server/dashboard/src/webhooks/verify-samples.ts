import { languages, wholeProgram } from '../../../../docs/quick-start/languages.ts';
import { type ProgramFiles, textAt } from '../kit/program-files.ts';

export interface Sample {
  name: string;
  run: string;
  code: string;
}

/** The receivers of the quick start, with the path and the port of the URL. The PHP receiver answers at every path. */
export function verifySamples(url: string, files: ProgramFiles): Sample[] {
  const { path, port } = routeOf(url);
  return languages.map(({ name, receiver }) => ({
    name,
    run: `Save it as ${receiver.file} and run it: ${withPort(receiver.run, port)}`,
    // The pattern does not match `/webhooks` in the name of the SDK's module.
    code: withPort(wholeProgram(textAt(files, receiver.path)), port).replaceAll(/(?<=['" ])\/webhooks(?=['"])/g, path),
  }));
}

function withPort(text: string, port: number): string {
  return text.replaceAll(/\b4000\b/g, String(port));
}

/** Behind a proxy, the receiver's port usually differs from the port of the URL, so the default port is used. */
function routeOf(url: string): { path: string; port: number } {
  const { pathname, port, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.');
  // A path with special characters would need different quoting in each language, so the default path is used.
  const path = /^[\w./~-]+$/.test(pathname) ? pathname : '/webhooks';
  return { path, port: isLocal && port !== '' ? Number(port) : 4000 };
}
