/**
 * The server runs every pattern of the contract on strings of a caller, which may be as long as a body of 100 KiB, even
 * if they exceed their maxLength, because it reports all problems at once. So the time must grow no faster than the
 * string.
 */
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import fc from 'fast-check';

const length = 100 * 1024;

/** Patterns by their source, each with the places that have it. */
const patterns = Map.groupBy(patternsIn(readContract().document, ''), ({ pattern }) => pattern);

function* patternsIn(node: unknown, place: string): Generator<{ pattern: string; place: string }> {
  if (node === null || typeof node !== 'object') return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'pattern' && typeof child === 'string') yield { pattern: child, place };
    else yield* patternsIn(child, `${place}/${key}`);
  }
}

// The titles promise a bound on time, so the tests compare the time with that of a pattern that reads each character
// once. A pattern with quadratic time takes a hundred thousand times as long.
const most = 1000;
const once = Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(/^[^\0]*$/u, 'a'.repeat(length))));

for (const [pattern, places] of patterns) {
  test(`100 KB of the worst strings do not take quadratic time: ${places[0]?.place}`, (t) => {
    const regex = new RegExp(pattern, 'u');
    let tried = 0;
    for (const { text, made } of worstStrings(pattern)) {
      tried += 1;
      const ratio = ratioOf(regex, text);
      if (ratio > most) return t.fail(`${pattern} took ${Math.round(ratio)} times as long for ${made}`);
    }
    t.true(tried >= 4, `only ${tried} strings were tried`);
  });
}

test('all patterns of the contract are tested', (t) => {
  const written = JSON.stringify(readContract().document).match(/"pattern":"/g) ?? [];

  t.not(written.length, 0);
  t.is([...patterns.values()].flat().length, written.length);
});

test('the test detects a pattern that tries every way to split a string', (t) => {
  const costly = /^[a-z]*[a-y][a-z]*$/u;

  t.true([...worstStrings(costly.source, 30_000)].some(({ text }) => ratioOf(costly, text) > most));
});

/** The machine may be busy, so a slow run is repeated, unless it was too slow for that explanation. */
function ratioOf(regex: RegExp, text: string): number {
  const ratio = timeOf(regex, text) / once;
  return ratio < most || ratio > 20 * most ? ratio : Math.min(ratio, timeOf(regex, text) / once);
}

function timeOf(regex: RegExp, text: string): number {
  const startedAt = performance.now();
  regex.test(text);
  return performance.now() - startedAt;
}

/**
 * Strings that begin like a match, then repeat one or two characters, and end with a character that does not match. A
 * pattern that can split a string in many ways tries all of them on one of these.
 */
function* worstStrings(pattern: string, size = length): Generator<{ text: string; made: string }> {
  const characters = kindsOfCharacters(pattern);
  const pairs = characters.flatMap((one) => characters.map((other) => one + other));
  for (const beginning of beginningsFor(pattern)) {
    for (const repeated of [...characters, ...pairs]) {
      for (const end of ['', ...characters]) {
        const text = `${beginning}${repeated.repeat(size / repeated.length)}${end}`;
        yield { text, made: `${JSON.stringify(beginning)}, then ${JSON.stringify([repeated, end])}` };
      }
    }
  }
}

/** One character for each combination of the pattern's character classes. */
function kindsOfCharacters(pattern: string): string[] {
  const classes = pattern.match(/\[(?:\\.|[^\]\\])*\]|\\[dws]/g) ?? [];
  const regexes = classes.map((each) => new RegExp(`^${each}$`, 'u'));
  const kinds = new Map<string, string>();
  for (let code = 0x20ff; code >= 0; code--) {
    const character = String.fromCodePoint(code);
    kinds.set(regexes.map((regex) => regex.test(character)).join(), character);
  }
  return [...kinds.values()];
}

function beginningsFor(pattern: string): Set<string> {
  // `stringMatching` cannot make strings for a pattern with a negative lookahead.
  const makeable = new RegExp(pattern.replaceAll(/\(\?![^)]*\)/g, ''), 'u');
  const matches = fc.sample(fc.stringMatching(makeable, { size: 'xsmall' }), { numRuns: 2, seed: 1 });
  return new Set(matches.flatMap((text) => ['', text.slice(0, 8), text]));
}
