// See docs/decisions/process.md, "Settings are also read from `.env`".
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

interface EnvFile {
  values: NodeJS.Dict<string>;
  problems: string[];
}

/** An error about a line of `.env` never shows the text of the line, which may be a secret. */
export function readEnvFile(path: string): EnvFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { values: {}, problems: code === 'ENOENT' ? [] : [`${path}: cannot be read: ${message}`] };
  }
  // Node's parser would read a byte order mark as a part of the first name.
  const content = text.replace(/^\uFEFF/, '');
  return {
    values: parseEnv(content),
    problems: wrongLines(content).map((line) => `${path}, line ${line}: ${wrongLine}`),
  };
}

const wrongLine = 'must be NAME=value, empty, or a comment that begins with #. Quotes around a value must be closed.';

/** Node's parser silently ignores a line that it does not understand. */
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
