import { stripVTControlCharacters } from 'node:util';

export interface Outcomes {
  passed: number;
  failed: number;
  skipped: number;
}

/** Reads ava's summary, which follows its last line of a single `─`: `42 tests passed`, `1 test failed`. */
export function countOutcomes(output: string): Outcomes {
  const plain = stripVTControlCharacters(output);
  const summary = plain.split(/^\s*─\s*$/m).at(-1) ?? '';
  const count = (outcome: string) => Number(new RegExp(`^\\s*(\\d+) tests? ${outcome}$`, 'm').exec(summary)?.[1] ?? 0);
  // When tests failed, ava does not print how many passed.
  const marks = [...plain.matchAll(/^\s*✔ .+ › /gm)].length;
  return { passed: count('passed') || marks, failed: count('failed'), skipped: count('skipped') };
}
