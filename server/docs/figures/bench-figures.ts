/**
 * `npm run bench -- --publish` writes the file that a page of the documentation shows, so no number is copied by hand.
 */
import { readFileSync } from 'node:fs';

export interface Figure {
  name: string;
  about: string;
  unit: Unit;
  tillhook: Spread;
  /** The name of the program with which Tillhook is compared. `baseline` is the value of that program. */
  against?: string;
  baseline?: Spread;
  /** The ratio of `tillhook` to `baseline` in the same round, because other load of the machine affects both. */
  ratio?: Spread;
  target?: Target;
  /** CPU microseconds of each process per unit of work. */
  cpuMicros?: { tillhook: Record<string, number>; baseline: Record<string, number> };
}

export type Unit = '/s' | 'ms' | 's' | 'µs' | 'KiB' | 'MiB';

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** A limit for the `ratio` of a figure, or for its value `tillhook`. */
export interface Target {
  of: 'ratio' | 'tillhook';
  atLeast?: number;
  atMost?: number;
}

export interface BenchReport {
  measuredAt: string;
  /** The measured commit, and whether files had changed since. Older reports do not have this field. */
  revision?: string;
  machine: { cpu: string; cores: number; memoryGiB: number; system: string; loadBefore: number };
  versions: Record<string, string>;
  settings: Record<string, number>;
  figures: Figure[];
}

export const publishedFile = `${import.meta.dirname}/bench.json`;
/** The report of an earlier commit, which the page compares with the published report. */
const earlierFile = `${import.meta.dirname}/bench-before.json`;

export const readPublished = (): BenchReport => readReport(publishedFile);

export const readEarlier = (): BenchReport => readReport(earlierFile);

function readReport(file: string): BenchReport {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Shortens the commit id to eight characters, because the whole id would be wider than a narrow screen. */
export const shortRevision = (revision = ''): string => revision.replace(/^(\w{8})\w+/, '$1');

export function isReached({ target, ratio, tillhook }: Figure): boolean | undefined {
  if (!target) return undefined;
  const value = (target.of === 'ratio' ? ratio : tillhook)?.median ?? Number.NaN;
  return value >= (target.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (target.atMost ?? Number.POSITIVE_INFINITY);
}

export function judgedText(figure: Figure): string {
  return figure.target?.of === 'ratio' ? ratioText(figure) : valueText(figure.tillhook, figure.unit);
}

/** Formats a limit as `≥ 0.55` for a ratio, or as `≤ 3 ms` for the value of Tillhook. */
export function targetText({ target, unit }: Figure): string {
  if (!target) return '';
  const { of, atLeast, atMost } = target;
  const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  return of === 'ratio' ? limit : `${limit} ${unit}`;
}

/** Formats a value as its median, with the lowest and the highest value of all rounds in parentheses. */
export function spreadText({ median, min, max }: Spread, digits: number): string {
  const [middle, lowest, highest] = [median, min, max].map((value) => grouped(value, digits));
  return `${middle} (${lowest}–${highest})`;
}

export function ratioText({ ratio }: Figure): string {
  return ratio ? spreadText(ratio, 2) : '';
}

export function valueText(spread: Spread | undefined, unit: Unit): string {
  return spread ? `${spreadText(spread, digitsOf[unit])} ${unit}` : '';
}

export function cpuText(micros: Record<string, number> | undefined): string {
  return Object.entries(micros ?? {})
    .map(([part, value]) => `${part} ${value.toFixed(0)}`)
    .join(', ');
}

const digitsOf: Record<Unit, number> = { '/s': 0, ms: 2, s: 2, µs: 0, KiB: 1, MiB: 0 };

function grouped(value: number, digits: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
