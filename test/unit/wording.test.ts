import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Phrases that a sentence does not need: a plain sentence names who acts. */
const phrases =
  /\b(whoever|of (its|their) own|in vain|nobody|somebody|to whom it|rung|(is|are|was|were|be) told|heard of|what (it|this) is about|look(s|ed|ing)? after|let(s|ting)? go|at the same time as|anew)\b/gi;

/** Files that programs write, and migrations, which never change. */
const notChecked = /\/(generated|released|figures|migrations)\//;

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(
    (file) =>
      /(\.(tsx?|js|css|md)|^openapi\/(openapi|contract\/.+)\.yaml|^\.ci\/.*)$/.test(file) && !notChecked.test(file),
  );

test('comments, documents and the contract name who acts, in plain words', (t) => {
  t.deepEqual(files.flatMap(phrasesIn), []);
  t.true(files.length > 500);
});

test('a log message begins with a capital letter and has no full stop', (t) => {
  const messages = files.filter((file) => file.startsWith('server/src/')).flatMap(logMessagesIn);

  t.deepEqual(
    messages.filter((message) => !/^[A-Z].*[^.]$/.test(message)),
    [],
  );
  t.true(messages.length > 30);
});

/** Finds forbidden phrases, but not in code spans and in citations of decisions. */
function phrasesIn(file: string): string[] {
  const isProse = proseOf(file);
  return textOf(file)
    .split('\n')
    .flatMap((line, index) => {
      const prose = isProse.test(line) && !line.includes('See docs/decisions/') ? line.replaceAll(/`[^`]*`/g, '') : '';
      return (prose.match(phrases) ?? []).map((phrase) => `${file}:${index + 1}: ${phrase}`);
    });
}

function proseOf(file: string): RegExp {
  if (file.endsWith('.yaml')) return /^/;
  return file.endsWith('.md') ? /^(?!#)/ : /^\s*(\/?\*|\/\/|#|\{\/\*|test(\.\w+)*\()|\s\/\/\s/;
}

function logMessagesIn(file: string): string[] {
  const calls = textOf(file).matchAll(/\blog\??\.(?:info|warn|error)\(\s*(?:\{[^;]*?\},\s*)?'(.+?)',?\s*\)/g);
  return Array.from(calls, ([, message = '']) => message);
}

function textOf(file: string): string {
  return readFileSync(root + file, 'utf8');
}
