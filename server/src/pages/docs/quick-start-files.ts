/**
 * The programs of the quick start and its test vectors. The guides show them, and readers can download each file.
 * See docs/decisions/docs.md, "The quick start is files that run".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { withServiceUrl } from '@tillhook/openapi/rules/service-address';
import { languages, partOf, wholeProgram } from '../../../../docs/quick-start/languages.ts';
import { markdownTable } from './markdown-table.ts';

const folder = `${import.meta.dirname}/../../../../docs/quick-start`;

/** The programs of all languages as Markdown, which the portal shows as tabs: `checkout`, `receiver`, or a part such as `verify`. */
export function programsText(wanted: string, publicUrl: string): string {
  const shown = languages.flatMap(({ name, fence, checkout, receiver }) => {
    const { path } = wanted === 'checkout' ? checkout : receiver;
    const text = textOf(path, publicUrl);
    const isWhole = wanted === 'checkout' || wanted === 'receiver';
    const code = isWhole ? wholeProgram(text).trim() : partOf(text, wanted);
    return code === undefined ? [] : [`\`\`\`${fence} ${name}\n${code}\n\`\`\``];
  });
  if (shown.length === 0) throw new Error(`No program of the quick start has the part ${wanted}.`);
  return shown.join('\n\n');
}

/** The name under which a reader saves each program, and the command that runs it. */
export function programCommands(wanted: 'checkout' | 'receiver'): string {
  const rows = languages.map(({ name, [wanted]: { file, run } }) => [name, `\`${file}\``, `\`${run}\``]);
  return markdownTable(['Language', 'Saved as', 'Run by'], rows);
}

/** The text of each file that readers can download, by its path below `/docs`. */
export function quickStartFiles(publicUrl: string): Map<string, () => string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'));
  const isDownload = (path: string) => path === 'vectors.json' || /^[a-z]+\/.*\.(ts|py|go|mod|java|php|rb)$/.test(path);
  return new Map(
    paths.filter(isDownload).map((path) => [`/quick-start/${path}`, () => wholeProgram(textOf(path, publicUrl))]),
  );
}

function textOf(path: string, publicUrl: string): string {
  return withServiceUrl(readFileSync(`${folder}/${path}`, 'utf8'), publicUrl);
}
