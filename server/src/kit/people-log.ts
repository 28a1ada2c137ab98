/**
 * The log for people at a terminal. It reads the JSON line that pino made, so that what is redacted there is missing
 * here too. Requests and deliveries are one short line each, without the lines about calls that come all the time. Every
 * other entry is printed by pino-pretty, with its fields.
 */
import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { type DeliveryEntry, deliveryLine, isNoise, type RequestEntry, requestLine } from './log-lines.ts';
import { deliveryAttempted, requestEnded } from './logger.ts';
import { type ColourVariables, coloursFor, printable, printableLines } from './terminal.ts';

interface Entry {
  time: number;
  msg: string;
}

export function peopleLog(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  variables: ColourVariables,
): DestinationStream {
  const colours = coloursFor(stream, variables);
  const pretty = prettyFactory({
    colorize: colours.isColorSupported,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    customPrettifiers: { time: (time) => colours.dim(String(time)) },
  });
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

/** The lines of a stack stay lines. */
function printableField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return name === 'stack' ? printableLines(value) : printable(value);
}

/** Local time of day. */
function timeOf({ time }: Entry): string {
  return new Date(time).toTimeString().slice(0, 8);
}
