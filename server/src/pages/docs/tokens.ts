import { readFileSync } from 'node:fs';
import { lookFolder } from '../../kit/look.ts';

/** A value of `tokens.css` by its name, as it is in light and in dark mode. */
export interface Token {
  name: string;
  light: string;
  dark: string;
}

/** Reads all tokens, in the order of the file. A token that stands for another one has the value of that one. */
export function readTokens(): Token[] {
  const text = readFileSync(`${lookFolder}/tokens.css`, 'utf8');
  const [light, dark] = text.split('@media (prefers-color-scheme: dark)').map(declarationsIn);
  if (!light || !dark) throw new Error('tokens.css has no colours for dark mode');
  const all = { light, dark: new Map([...light, ...dark]) };
  return [...light.keys()].map((name) => ({
    name,
    light: valueIn(name, all.light),
    dark: valueIn(name, all.dark),
  }));
}

function declarationsIn(text: string): Map<string, string> {
  return new Map([...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

function valueIn(name: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(name) ?? '';
  const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  return other ? valueIn(other, values) : value;
}
