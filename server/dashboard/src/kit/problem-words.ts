/**
 * The service's messages about fields are also meant for programmers, so forms show these sentences in their place. A
 * message without such a sentence is shown unchanged.
 */

const rules: readonly [RegExp, (...found: string[]) => string][] = [
  [/^must be a web address, such as (.*)$/, (example) => `enter a web address such as ${example}`],
  [/^must be an email address, such as (.*)$/, (example) => `enter an email address such as ${example}`],
  [/^must be a time of RFC 3339/, () => 'enter a date and a time'],
  [/^must be a UUID$/, () => 'enter a full ID'],
  [/^is not written as it must be$/, () => 'it has a character that is not accepted here, or is too short or too long'],
  [/^must not be empty$/, () => 'it must not be empty'],
  [/^has \d+ characters?; at least (\d+) are needed$/, (min) => `enter at least ${min} characters`],
  [/^has \d+ characters; at most (\d+) (?:is|are) allowed$/, (max) => `enter at most ${max} characters`],
  [/^has \d+ items?; at least (\d+) are needed$/, (min) => `choose at least ${min}`],
  [/^has \d+ items; at most (\d+) (?:is|are) allowed$/, (max) => `choose at most ${max}`],
  [/^must be at least (\S+)$/, (min) => `it must be at least ${min}`],
  [/^must be at most (\S+)$/, (max) => `it must be at most ${max}`],
  [/^must be one of: (.*)$/s, (all) => `it must be one of: ${all}`],
  [
    /^must be (?:a string|a whole number|a number|true or false|an object|a list|null)\b/,
    () => 'it is not in the right format',
  ],
];

export function problemSentence(message: string): string {
  return sentence(plain(message));
}

/** Rewrites a message that begins with the name of a field: `code has 3 characters; at least 6 are needed`. */
export function namedProblem(message: string, field: string | null): string {
  if (field === null || !message.startsWith(`${field} `)) return sentence(message);
  const problem = message.slice(field.length + 1);
  const words = plain(problem);
  return words === problem ? sentence(message) : sentence(`${field}: ${words}`);
}

function plain(problem: string): string {
  for (const [pattern, words] of rules) {
    const found = pattern.exec(problem);
    if (found) return words(...found.slice(1));
  }
  return problem;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
