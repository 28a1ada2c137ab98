/**
 * The transcript of a first hour, which `test/exhaustive/developer/first-hour.test.ts` compares with what the commands print.
 */
import { readFileSync } from 'node:fs';
import { withServiceUrl } from '@tillhook/openapi/rules/service-address';

export const firstHourText = (publicUrl: string) =>
  withServiceUrl(readFileSync(`${import.meta.dirname}/../../../../docs/first-hour.txt`, 'utf8'), publicUrl);

/** The transcript as Markdown: its chapters, the sentences between the commands, and the commands with their output. */
export function firstHourMarkdown(publicUrl: string): string {
  return firstHourText(publicUrl)
    .split(/^(.+)\n=+$/m)
    .map((text, index) => (index % 2 === 1 ? `## ${text}` : chapterMarkdown(text)))
    .join('\n\n');
}

/** In a chapter, lines that begin with `# ` are sentences. */
function chapterMarkdown(text: string): string {
  return text
    .split(/^((?:# .*\n)+)/m)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('# ') ? part.replaceAll(/^# /gm, '') : `\`\`\`text\n${part}\n\`\`\``))
    .join('\n\n');
}
