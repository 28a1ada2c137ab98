/**
 * Markup written as template literals. Every value in it is escaped, except markup that `html` made. The service has its
 * own, because the mock shares no code with it.
 */
export type Fragment = Html | string | number | null | false | readonly Fragment[];

/** Markup that is safe to print as it stands. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(strings.reduce((markup, string, index) => markup + print(values[index - 1] ?? null) + string));
}

function print(value: Fragment): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(print).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
