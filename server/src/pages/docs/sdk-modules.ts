/**
 * The verifier of the SDK as modules for a browser. They are the files that merchants use. TypeScript files are
 * served without their types. The list of files is found by following their imports.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const entry = new URL(import.meta.resolve('@tillhook/sdk/webhooks'));

/** The file that the page imports. */
export const sdkEntry = fileName(entry);

/** The text of each module, by the name of its file. */
export function sdkModules(): Map<string, string> {
  const modules = new Map<string, string>();
  const waiting = [entry];
  for (const url of waiting) {
    if (modules.has(fileName(url))) continue;
    const source = readFileSync(url, 'utf8');
    const code = url.pathname.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
    modules.set(fileName(url), code);
    for (const [, specifier = ''] of code.matchAll(/\bfrom\s*["'](\.\/[\w.-]+)["']/g))
      waiting.push(new URL(specifier, url));
  }
  return modules;
}

function fileName(url: URL): string {
  return url.pathname.split('/').at(-1) ?? '';
}
