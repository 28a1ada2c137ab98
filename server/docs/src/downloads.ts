/**
 * Programs and files that the guides show and readers can download.
 * See docs/decisions/docs.md, "The quick start is files that run".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { withServiceUrl } from '@tillhook/openapi/rules/service-address';
import { languages, partOf, wholeProgram } from '../../../docs/quick-start/languages.ts';
import { markdownTable } from '../../src/kit/tables.ts';

const root = `${import.meta.dirname}/../../..`;
const folder = `${root}/docs/quick-start`;

/** `wanted` is a whole program (`checkout` or `receiver`), or a part of the receiver, such as `verify`. */
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

export function programCommands(wanted: 'checkout' | 'receiver'): string {
  const rows = languages.map(({ name, [wanted]: { file, run } }) => [name, `\`${file}\``, `\`${run}\``]);
  return markdownTable(['Language', 'Saved as', 'Run by'], rows);
}

/** The text of each downloadable file, by its path below `/docs`. */
export function downloads(publicUrl: string): [path: string, text: string][] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'));
  const isDownload = (path: string) => path === 'vectors.json' || /^[a-z]+\/.*\.(ts|py|go|mod|java|php|rb)$/.test(path);
  const programs = paths
    .filter(isDownload)
    .map((path): [string, string] => [`/quick-start/${path}`, wholeProgram(textOf(path, publicUrl))]);
  return [['/first-hour.txt', firstHourText(publicUrl)], ...programs];
}

function textOf(path: string, publicUrl: string): string {
  return withServiceUrl(readFileSync(`${folder}/${path}`, 'utf8'), publicUrl);
}

/** `test/exhaustive/developer/first-hour.test.ts` compares this transcript with what the commands print. */
const firstHourText = (publicUrl: string) =>
  withServiceUrl(readFileSync(`${root}/docs/first-hour.txt`, 'utf8'), publicUrl);

export function firstHourMarkdown(publicUrl: string): string {
  return firstHourText(publicUrl)
    .split(/^(.+)\n=+$/m)
    .map((text, index) => (index % 2 === 1 ? `## ${text}` : chapterMarkdown(text)))
    .join('\n\n');
}

/** In a chapter of the transcript, lines that begin with `# ` are sentences; other lines are commands or output. */
function chapterMarkdown(text: string): string {
  return text
    .split(/^((?:# .*\n)+)/m)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('# ') ? part.replaceAll(/^# /gm, '') : `\`\`\`text\n${part}\n\`\`\``))
    .join('\n\n');
}
