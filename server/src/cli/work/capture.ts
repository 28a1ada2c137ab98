/**
 * Reads a captured webhook from files, in the forms in which people have them. The developer's `verify` reads the same
 * forms. Its code is separate, and one test reads each form with both.
 */
import { readFile } from 'node:fs/promises';
import { StartError } from '../../kit/start-error.ts';
import type { Capture } from '../../webhooks/log/captured-webhook.service.ts';

export async function readCapture(files: { headers: string; body: string }): Promise<Omit<Capture, 'at'>> {
  const headers = headersIn(textOf(await read(files.headers)));
  if (headers.size > 0) return { headers, body: await read(files.body) };
  throw new StartError(
    `${files.headers} has no headers. Write a line "Name: value" for each, keep the file of curl -D, or write a JSON ` +
      'object of names and values.',
  );
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** The text of a file. PowerShell writes UTF-16 with a mark at the beginning, and some editors a mark before UTF-8. */
function textOf(file: Buffer): string {
  const isUtf16 = file[0] === 0xff && file[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(file);
}

function headersIn(text: string): Map<string, string> {
  const entries = text.trimStart().startsWith('{') ? entriesOfJson(text) : text.split(/\r\n?|\n/).flatMap(entryOfLine);
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function entriesOfJson(text: string): [name: string, value: string][] {
  try {
    return Object.entries(JSON.parse(text)).map(([name, value]) => [name, [value].flat().join(', ')]);
  } catch {
    return [];
  }
}

/**
 * The header of a line `Name: value`, which may have quotes and a comma, as an object in JavaScript has, or the `< ` and
 * `> ` of curl -v. Any other line has none, such as the status line of curl -D.
 */
function entryOfLine(line: string): [name: string, value: string][] {
  const [, name, value] = /^(?:[<>] )?\s*["']?([!#$%&'*+.^`|~\w-]+?)["']?\s*:\s*(.*?)\s*$/.exec(line) ?? [];
  return name && value !== undefined ? [[name, value.replace(/^(["'])(.*)\1,?$/, '$2')]] : [];
}
