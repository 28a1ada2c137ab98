/** The catalogue of a language, and what it must contain: every text of the dashboard. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { type Message, type Translation, translateSource } from './translate-source.ts';

/** The translations by the English text. A text that means several things is translated by file in `inFile`. */
export interface Catalogue {
  words: Record<string, Translation>;
  inFile: Record<string, Record<string, Translation>>;
}

const folder = new URL('../', import.meta.url);
const page = 'index.html';

function pathOf(language: string): URL {
  return new URL(`words/${language}.json`, folder);
}

export function readCatalogue(language: string): Catalogue {
  const path = pathOf(language);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { words: {}, inFile: {} };
}

/** A text that is not translated yet stays English. */
export function translationOf({ words, inFile }: Catalogue, { file, text }: Message): Translation | undefined {
  return inFile[file]?.[text] || words[text] || undefined;
}

/** Every text of the dashboard, in the order of the files. */
export function readMessages(): Message[] {
  const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
  const messages: Message[] = [];
  const keep = (message: Message) => {
    messages.push(message);
    return undefined;
  };
  translatePage(read(page), keep);
  const files = globSync(['src/**/*.{ts,tsx}', ...shared], { cwd: folder.pathname }).filter(isTranslated);
  for (const file of files.sort()) translateSource(file, read(file), keep);
  return messages;
}

/** Texts that the server has too, in English. */
const shared = ['../look/role-words.ts', '../look/browser-words.ts'];

export function isTranslated(file: string): boolean {
  return shared.includes(file) || /^src\/(?!generated\/).*\.tsx?$/.test(file);
}

/** What a browser without JavaScript shows. */
export function translatePage(html: string, translate: (message: Message) => Translation | undefined): string {
  return html.replaceAll(/(?<=<p>).*?(?=<\/p>)/g, (text) => String(translate({ text, file: page, line: 1 }) ?? text));
}

/** Adds the missing texts, untranslated, and removes those that the dashboard no longer has. */
export function updatedCatalogue(old: Catalogue): Catalogue {
  const catalogue: Catalogue = { words: {}, inFile: {} };
  for (const { text, file } of readMessages()) {
    const special = old.inFile[file]?.[text];
    if (special === undefined) catalogue.words[text] = old.words[text] ?? '';
    else catalogue.inFile[file] = { ...catalogue.inFile[file], [text]: special };
  }
  return catalogue;
}

export function writeCatalogue(language: string, catalogue: Catalogue): void {
  writeFileSync(pathOf(language), `${JSON.stringify(catalogue, null, 2)}\n`);
}
