/**
 * The service describes some problems in the words of its validator, such as `must NOT have fewer than 6 characters`.
 * Programmers know these words and other people do not. A message in other words is already a plain sentence.
 */

const formats: Readonly<Record<string, string>> = {
  uri: 'type a web address such as https://shop.example.com',
  email: 'type an email address such as ada@example.com',
  'date-time': 'type a date and a time',
  uuid: 'type a whole id',
};

const rules: readonly [RegExp, (...found: string[]) => string][] = [
  [/^must match format "(.*)"$/, (format) => formats[format ?? ''] ?? 'it is not written in the right way'],
  [/^must match pattern /, () => 'it has a character that is not accepted here, or is too short or too long'],
  [/^must NOT have fewer than 1 characters$/, () => 'it must not be empty'],
  [/^must NOT have fewer than (\d+) characters$/, (least) => `type at least ${least} characters`],
  [/^must NOT have more than (\d+) characters$/, (most) => `type at most ${most} characters`],
  [/^must NOT have fewer than (\d+) items$/, (least) => `choose at least ${least}`],
  [/^must NOT have more than (\d+) items$/, (most) => `choose at most ${most}`],
  [/^must be >= (\S+)$/, (least) => `it must be at least ${least}`],
  [/^must be <= (\S+)$/, (most) => `it must be at most ${most}`],
  [
    /^must be equal to one of the allowed values(?:: (.*))?$/,
    (all) => `it must be one of these: ${all ?? 'see the docs'}`,
  ],
  [/^must be (?:string|integer|number|boolean|object|array|null)\b/, () => 'it is not written in the right way'],
];

/** The problem of one field as a sentence for people. */
export function problemSentence(message: string): string {
  return sentence(plain(message));
}

/** The same for a message that begins with the name of a field: `code must NOT have fewer than 6 characters`. */
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
