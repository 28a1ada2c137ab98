import ms, { type StringValue } from 'ms';

/**
 * Reads a length of time of the command line, such as `90s`, as milliseconds; undefined when it is none.
 *
 * Choice: a whole number and one unit, as for the operator's commands. The library alone would take `5` for five
 * milliseconds, which is never meant, and a number of years that no date has.
 */
export function durationMs(text: string): number | undefined {
  const length = /^\d{1,6}(ms|s|m|h|d)$/.test(text) ? ms(text as StringValue) : undefined;
  return length === undefined || length > longestMs ? undefined : length;
}

/** A hundred years. */
const longestMs = 36_525 * 86_400_000;
