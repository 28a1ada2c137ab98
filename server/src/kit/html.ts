export type Fragment = Html | string | number | null | undefined | false | readonly Fragment[];

export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Escapes every value except markup that `html` has returned. */
export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(strings.reduce((markup, string, index) => markup + print(values[index - 1]) + string));
}

/** Never use this function for a text that a user has typed: the text is not escaped. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function print(value: Fragment): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(print).join('');
  return escapeHtml(String(value));
}
