/** Writes texts as string literals of the languages of the samples. */

/**
 * A JSON string is also a string literal of JavaScript, Python and Go. Go accepts no byte order mark in a source
 * file, so it is escaped.
 */
export const quoted = (text: string): string => JSON.stringify(text).replaceAll('\ufeff', '\\ufeff');

/** In ASCII, because Java 17 reads a source file in the encoding of the machine. */
export const inJava = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * With `#` escaped, which begins an expression in Ruby, it is also a string literal of Ruby. In single quotes, Ruby
 * would read CR and LF together as LF.
 */
export const inRuby = (text: string): string => quoted(text).replaceAll('#', '\\#');

/** A string of PHP in single quotes, where only the quote and the backslash have a meaning. */
export const inPhp = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
