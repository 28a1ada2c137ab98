/** Tells the texts that people read from the other strings of a program, such as keys, class names and statuses. */

/** Words with a space between them, or one word that begins with a capital. */
const words = /[\p{L}\p{N}’”)}>.,:;?!%€…–—-]\s+\S|^\s*[“(]?\p{Lu}[\p{Ll}’]/u;

const ofPrograms: readonly RegExp[] = [
  // Several lines are a program, or a part of one.
  /\n/,
  // Commands.
  /^(?:npm|npx|curl|export) |^go run$|^--/,
  // Cookies.
  /^; \w+$|=.*; \w+=/,
  // Lengths, colours, selectors and media queries.
  /^(?:[\d. ]+(?:rem|px|fr) ?)+$|^[\w-]+\(.*\)$|\[.*\]/,
  // Names of headers, media types and names in camel case.
  /^(?:[A-Z]\w*(?:-[A-Z]\w*)+|[\w-]+\/[\w.+-]+|[A-Z][a-z]+[A-Z]\w*|[A-Z]\w+\.\w+)$/,
  // Codes of currencies.
  /^(?:[A-Z]{3} ?)+$/,
];

/** Strings of programs that look like words to read. */
const exceptions: ReadonlySet<string> = new Set([
  'username webauthn',
  'found docs',
  'does the service answer',
  'Control+K Meta+K',
]);

export function isText(text: string): boolean {
  return /\p{L}{2}/u.test(withoutValues(text)) && words.test(text) && hasWords(text);
}

/** Whether there is anything to translate besides values and code. */
export function hasWords(text: string): boolean {
  const bare = withoutValues(text).trim();
  return /\p{L}/u.test(bare) && !exceptions.has(text) && !ofPrograms.some((pattern) => pattern.test(bare));
}

function withoutValues(text: string): string {
  return text.replaceAll(/\{\w+\}|<\/?\w+>/g, '');
}

/** Attributes that people read, even where the value is one small word. */
export const readAttributes = setOf('label title about description placeholder aria-label alt text what noun');

export const programAttributes = setOf('className style id href to rel target key autoComplete type pattern');

/** Elements whose content is code. */
export const codeElements = setOf('code Code kbd Kbd pre');

/** Functions and classes whose arguments only programs read. */
export const programCalls = setOf(
  'Error RegExp URL DateTimeFormat matchMedia createElement setAttribute getAttribute addEventListener',
  'removeEventListener useWindowEvent querySelector getElementById lazyRouteComponent getItem setItem includes',
  'startsWith endsWith split replace replaceAll get has',
);

function setOf(...names: string[]): ReadonlySet<string> {
  return new Set(names.join(' ').split(' '));
}
