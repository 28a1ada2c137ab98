/** The built files are read into memory once, because they are small and never change while the service runs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface BuiltAsset {
  type: string;
  packed: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

export interface BuiltDashboard {
  /** The HTML page in each language, with the placeholders that `dashboard.routes.ts` replaces. English is the first. */
  pages: ReadonlyMap<string, string>;
  assets: ReadonlyMap<string, BuiltAsset>;
}

const builtFolder = `${import.meta.dirname}/../../../dashboard/dist`;

export function isBuilt(): boolean {
  return existsSync(join(builtFolder, 'index.html'));
}

export function readBuiltDashboard(): BuiltDashboard {
  const folder = join(builtFolder, 'assets');
  const names = readdirSync(folder).filter((name) => extname(name) in types);
  return {
    pages: new Map([['en', readPage('index.html')], ...otherLanguages().map(readPageIn)]),
    assets: new Map(names.map((name) => [name, readAsset(join(folder, name))])),
  };
}

function otherLanguages(): string[] {
  const names = readdirSync(builtFolder).map((name) => /^index\.(\w+)\.html$/.exec(name)?.[1]);
  return names.filter((language) => language !== undefined);
}

function readPageIn(language: string): [string, string] {
  return [language, readPage(`index.${language}.html`)];
}

function readPage(name: string): string {
  return readFileSync(join(builtFolder, name), 'utf8');
}

function readAsset(path: string): BuiltAsset {
  const read = (end: string) => (existsSync(path + end) ? readFileSync(path + end) : undefined);
  const [br, gzip] = [read('.br'), read('.gz')];
  return {
    type: types[extname(path)] as string,
    packed: { identity: readFileSync(path), ...(br && { br }), ...(gzip && { gzip }) },
  };
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
