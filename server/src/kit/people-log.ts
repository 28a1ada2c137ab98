/**
 * The log for people at a terminal. It reads the JSON line that pino made, so that what is redacted there is missing
 * here too. Requests and deliveries are one short line each, without the lines about calls that come all the time. Every
 * other entry is printed by pino-pretty, with its fields: below the level `error` in one line, without a stack.
 */
import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { type DeliveryEntry, deliveryLine, isNoise, type RequestEntry, requestLine } from './log-lines.ts';
import { deliveryAttempted, requestEnded } from './logger.ts';
import { type ColourVariables, coloursFor, printable, printableLines } from './terminal.ts';

interface Entry {
  time: number;
  level: number;
  msg: string;
  err?: { message?: string; code?: string; type?: string };
}

/** The number of the level `error`. */
const errorLevel = 50;

export function peopleLog(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  variables: ColourVariables,
): DestinationStream {
  const colours = coloursFor(stream, variables);
  const layout = {
    colorize: colours.isColorSupported,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    customPrettifiers: { time: (time: unknown) => colours.dim(String(time)) },
  };
  const inLines = prettyFactory(layout);
  // An error is a text by then, and pino-pretty would print it on a separate line.
  const inOneLine = prettyFactory({ ...layout, singleLine: true, errorLikeObjectKeys: [] });
  const pretty = (entry: Entry) => (entry.level < errorLevel ? inOneLine(withShortError(entry)) : inLines(entry));
  return {
    write(json) {
      const entry: Entry = JSON.parse(json, (name, value) => printableField(name, value));
      const line = shortLine(entry);
      if (line !== null) stream.write(line ? `${colours.dim(timeOf(entry))} ${line}\n` : pretty(entry));
    },
  };

  /** Null for an entry that is left out. Undefined for one that has no short form. */
  function shortLine(entry: Entry): string | null | undefined {
    if (entry.msg === deliveryAttempted) return deliveryLine(entry as unknown as DeliveryEntry, colours);
    if (entry.msg !== requestEnded) return undefined;
    const request = entry as unknown as RequestEntry;
    return isNoise(request) ? null : requestLine(request, colours);
  }
}

/** Some errors have an empty message, such as one for several addresses that all refused a connection. */
function withShortError({ err, ...entry }: Entry): object {
  return err ? { ...entry, err: err.message || err.code || err.type || err } : entry;
}

/** The lines of a stack stay lines. */
function printableField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return name === 'stack' ? printableLines(value) : printable(value);
}

/** Local time of day. */
function timeOf({ time }: Entry): string {
  return new Date(time).toTimeString().slice(0, 8);
}
