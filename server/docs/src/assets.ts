import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { lookFolder } from '../../src/kit/look.ts';

const folders = [lookFolder, `${import.meta.dirname}/../assets`];

export function assetTexts(): Map<string, string> {
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => [file, `${folder}/${file}`] as const));
  return new Map([
    ...files
      .filter(([file]) => /\.(css|js|svg)$/.test(file))
      .map(([file, path]) => [`/${file}`, assetText(file, path)] as const),
    ...[...sdkModules()].map(([file, text]) => [`/sdk/${file}`, text] as const),
  ]);
}

function assetText(file: string, path: string): string {
  const text = readFileSync(path, 'utf8');
  return file === 'tokens.css' ? themed(text, (theme) => `[data-theme="${theme}"]`) : withTokens(text);
}

/**
 * A picture cannot read the style sheets of its page, so the colours are written into the picture.
 * See docs/decisions/look.md, "A picture of the documentation is two files that contain the colours".
 */
function withTokens(text: string): string {
  return text.replace('/* tokens.css */', () =>
    themed(readFileSync(`${lookFolder}/tokens.css`, 'utf8'), (theme) => `:has(#${theme}:target)`),
  );
}

/**
 * The reader's theme replaces that of the device.
 * See docs/decisions/look.md, "A reader chooses the theme of the documentation".
 */
function themed(tokens: string, whenChosen: (theme: 'light' | 'dark') => string): string {
  const dark = /@media \(prefers-color-scheme: dark\) \{\s*:root (\{[^}]*\})\s*\}/;
  return tokens.replace(
    dark,
    (_media, values: string) => `@media (prefers-color-scheme: dark) {
  :root:not(${whenChosen('light')}) ${values}
}

:root${whenChosen('light')} {
  color-scheme: light;
}

:root${whenChosen('dark')} {
  color-scheme: dark;
}

:root${whenChosen('dark')} ${values}`,
  );
}

const entry = new URL(import.meta.resolve('@tillhook/sdk/webhooks'));

/** The file of the SDK that the verifier page imports. */
export const sdkEntry = fileName(entry);

/** The verifier of the SDK as modules for a browser: the files that merchants use, with their types stripped. */
function sdkModules(): Map<string, string> {
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
