/**
 * Reads `.env`, the file of settings in the folder in which a process was started.
 * See docs/decisions/process.md, "Settings are also read from `.env`".
 */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

interface EnvFile {
  values: NodeJS.Dict<string>;
  problems: string[];
}

/** Without such a file, there are no values. A problem never shows what a line contains, because that may be a secret. */
export function readEnvFile(path: string): EnvFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { values: {}, problems: code === 'ENOENT' ? [] : [`${path}: cannot be read: ${message}`] };
  }
  // Node's parser takes a byte order mark for a part of the first name.
  const content = text.replace(/^\uFEFF/, '');
  return {
    values: parseEnv(content),
    problems: wrongLines(content).map((line) => `${path}, line ${line}: ${wrongLine}`),
  };
}

const wrongLine = 'must be NAME=value, empty, or a comment that begins with #. Quotes around a value must be closed.';

/**
 * Node's parser ignores lines that it does not understand. This function finds them, so that no setting is lost
 * silently.
 */
function wrongLines(text: string): number[] {
  const wrong: number[] = [];
  const line =
    /[^\S\n]*(?:(?:export[^\S\n]+)?[\w.-]+[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`|(?!["'`])[^\n]*)[^\S\n]*)?(?:#[^\n]*)?(\n|$)/y;
  for (let at = 0, number = 1; at < text.length; ) {
    line.lastIndex = at;
    const isRight = line.test(text);
    if (!isRight) wrong.push(number);
    const nextBreak = text.indexOf('\n', at);
    const end = isRight ? line.lastIndex : nextBreak + 1 || text.length;
    number += text.slice(at, end).split('\n').length - 1;
    at = end;
  }
  return wrong;
}
