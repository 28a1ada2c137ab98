import { InvalidArgumentError, Option } from 'commander';
import { isId } from '../kit/ids.ts';
import { parseTime } from './moment.ts';

const maxNameLength = 120;

export const example = (line: string): string => `
Example:
  ${line}`;

export const modeOption = () =>
  new Option('--mode <mode>', 'test or live').choices(['test', 'live']).makeOptionMandatory();

export const merchantOption = () =>
  new Option('--merchant <id>', 'may be left out when there is one').argParser(parseId);

export const fromOption = () =>
  new Option('--from <time>', 'only what was created then or later, such as 2026-11-01').argParser(parseTime);

export const toOption = () => new Option('--to <time>', 'only what was created before').argParser(parseTime);

export const dryRunOption = (does: string) => new Option('--dry-run', does);

export function parseId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It is an id such as 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e.');
  return text;
}

export const parseName = (text: string) => parseLine(text, maxNameLength);

export function parseLine(text: string, maxLength: number): string {
  const line = text.trim();
  if (line.length === 0 || [...line].length > maxLength || /\p{Cc}/u.test(line)) {
    throw new InvalidArgumentError(`It is one line of at most ${maxLength} characters.`);
  }
  return line;
}
