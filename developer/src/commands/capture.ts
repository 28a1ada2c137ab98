/** Reads a captured webhook from two files. The headers may be text lines, the output of `curl -D`, or JSON. */
import { readFile } from 'node:fs/promises';
import { ArgumentError } from '../terminal/environment.ts';

export interface Capture {
  /** The headers, keyed by their names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

export async function readCapture(files: { headers: string; body: string }): Promise<Capture> {
  const [headers, body] = [await readGiven('--headers', files.headers), await readGiven('--body', files.body)];
  const found = headersIn(textOf(headers));
  if (found.size > 0) return { headers: found, body };
  throw new ArgumentError(`${files.headers} has no headers.`, {
    advice:
      'Write a line "Name: value" for each, keep the file of curl -D, or write a JSON object of names and values.',
  });
}

async function readGiven(option: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = { ENOENT: 'does not exist', EISDIR: 'is a folder' }[code ?? ''] ?? `cannot be read (${code})`;
    throw new ArgumentError(`The file of ${option}, ${file}, ${reason}.`, {
      advice: 'Name a file that holds what was received.',
      cause: error,
    });
  }
}

/** PowerShell writes files in UTF-16 with a byte order mark, and some editors add a byte order mark to UTF-8. */
export function textOf(file: Buffer): string {
  const encoding = file[0] === 0xff && file[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(file);
}

function headersIn(text: string): Map<string, string> {
  const entries = text.trimStart().startsWith('{') ? entriesOfJson(text) : entriesOfLines(text);
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function entriesOfJson(text: string): [string, string][] {
  try {
    return Object.entries(JSON.parse(text)).map(([name, value]) => [name, [value].flat().join(', ')]);
  } catch {
    return [];
  }
}

/** Skips lines that are not headers, such as the status line, and removes the `< ` and `> ` that `curl -v` prints. */
function entriesOfLines(text: string): [string, string][] {
  return text.split(/\r\n?|\n/).flatMap((line): [string, string][] => {
    const [, name, value] = /^(?:[<>] )?\s*["']?([!#$%&'*+.^`|~\w-]+?)["']?\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name && value !== undefined ? [[name, value.replace(/^(["'])(.*)\1,?$/, '$2')]] : [];
  });
}
