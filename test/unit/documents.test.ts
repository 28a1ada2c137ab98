import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter((file) =>
  existsSync(join(root, file)),
);
const names = new Set(files.map((file) => basename(file)));
const folders = new Set(files.flatMap(foldersOf));

/** All documents except the guides of the docs, whose readers do not have this repository. */
const documents = files.filter((file) => file.endsWith('.md') && !file.includes('/guides/'));
const decisionFiles = documents.filter((file) => file.startsWith('docs/decisions/'));
const decisions = decisionFiles.flatMap((file) => entriesOf(file));
const citations = files.filter(isCode).flatMap((file) => citationsIn(file));

/** Decisions that concern no particular file of code. */
const ofNoFile = [
  'docs/decisions/tests.md, "Pages in tests load nothing from other hosts"',
  'docs/decisions/tests.md, "Types are checked by TypeScript 7, and 6 stays for tools"',
];

/** Paths that a document may name although a command creates them only later. */
const madeLater = /(^|\/)(reports|dist|node_modules|\.data)\//;

test('every decision has its three paragraphs: context, decision, price', (t) => {
  t.true(decisions.length > 50);
  for (const { name, paragraphs } of decisions) {
    const openings = paragraphs.map((paragraph) => /^\*\*(\w+)\.\*\* /.exec(paragraph)?.[1]);
    t.deepEqual(openings, ['Context', 'Decision', 'Price'], name);
  }
});

test('every citation of a decision names a heading that exists', (t) => {
  const known = decisions.map(({ name }) => name);

  t.deepEqual(
    citations.filter(({ name }) => !known.includes(name)),
    [],
  );
  t.true(citations.length > 50);
});

test('every decision is cited by the code that follows it, or is listed as a decision that concerns no particular file', (t) => {
  const cited = new Set(citations.map(({ name }) => name));
  const uncited = decisions.map(({ name }) => name).filter((name) => !cited.has(name));

  t.deepEqual(uncited.toSorted(), ofNoFile.toSorted());
});

test('every file and folder that a document names exists', (t) => {
  const named = documents.flatMap((document) => pathsIn(document).map((path) => ({ document, path })));
  const missing = named.filter(({ document, path }) => !isThere(path, document));

  t.deepEqual(missing, []);
  t.true(named.length > 200, `only ${named.length} paths were found`);
});

test('ARCHITECTURE.md names every wing of server/src/ and every module', (t) => {
  const map = textOf('ARCHITECTURE.md');
  const wings = files.flatMap((file) => /^server\/src\/([^/]+\/?)/.exec(file)?.[1] ?? []);
  const modules = files.flatMap((file) => /^server\/src\/([^/]+\/[^/]+\/)/.exec(file)?.[1] ?? []);
  const parts = [...new Set([...wings, ...modules])];

  t.deepEqual(
    parts.filter((part) => !new RegExp(`\`(server/src/)?${part}`).test(map)),
    [],
  );
  t.true(parts.length >= 40);
});

test('the README of a package has fewer than 60 lines, and ARCHITECTURE.md fewer than 200', (t) => {
  const maxLines = (file: string) => (file === 'ARCHITECTURE.md' ? 200 : 60);
  const bounded = documents.filter((file) => file === 'ARCHITECTURE.md' || /.\/README\.md$/.test(file));

  t.deepEqual(
    bounded.filter((file) => textOf(file).trimEnd().split('\n').length >= maxLines(file)),
    [],
  );
  t.true(bounded.length > 8);
});

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

function isCode(file: string): boolean {
  return /\.(ts|tsx|js|css|py|yaml)$/.test(file) || file.startsWith('.ci/');
}

function entriesOf(file: string): { name: string; paragraphs: string[] }[] {
  const [, ...sections] = textOf(file).split(/^## /m);
  return sections.map((section) => {
    const [heading = '', ...paragraphs] = section.trim().split(/\n\n+/);
    return { name: `${file}, "${heading}"`, paragraphs };
  });
}

function citationsIn(file: string): { file: string; name: string }[] {
  const found = textOf(file).matchAll(/See (docs\/decisions\/[\w-]+\.md, ".+")\.(?: \*\/)?$/gm);
  return Array.from(found, ([, name = '']) => ({ file, name }));
}

function pathsIn(document: string): string[] {
  const text = textOf(document).replaceAll(/^```.*?^```$/gms, '');
  const spans = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, span = '']) => span);
  const links = Array.from(text.matchAll(/\]\(([^)#\s]+)\)/g), ([, link = '']) => link);
  const isPath = (span: string) =>
    /^[\w.@-][\w./@-]*(\/|\.(ts|tsx|js|css|md|py|json|yaml|toml))$/.test(span) && !isSuffix(span);
  return [...spans.filter(isPath), ...links.filter((link) => !link.includes('://'))];
}

const isSuffix = (span: string) => /^\.[a-z]+\.tsx?$/.test(span);

/** A name without a folder may be that of any file. */
function isThere(path: string, document: string): boolean {
  if (madeLater.test(path)) return true;
  const places = ['.', dirname(document), 'server/src', `${dirname(document)}/src`].map((place) => join(place, path));
  const found = places.map((place) => place.replace(/\/$/, ''));
  return found.some((place) => folders.has(place) || files.includes(place)) || (!path.includes('/') && names.has(path));
}
