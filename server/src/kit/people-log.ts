/**
 * The log for people at a terminal, without routine requests. It reads the JSON lines of pino, in which secrets are
 * already redacted.
 */
import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { DeliveryError } from './delivery-codes.ts';
import { deliveryAttempted, requestEnded } from './logger.ts';
import { type Colours, type ColourVariables, coloursFor, printable, printableLines } from './terminal.ts';

interface Entry {
  time: number;
  level: number;
  msg: string;
  err?: { message?: string; code?: string; type?: string };
}

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
  // Pino-pretty would print an error on a separate line, so `errorLikeObjectKeys` is empty.
  const inOneLine = prettyFactory({ ...layout, singleLine: true, errorLikeObjectKeys: [] });
  const pretty = (entry: Entry) => (entry.level < errorLevel ? inOneLine(withShortError(entry)) : inLines(entry));
  return {
    write(json) {
      const entry: Entry = JSON.parse(json, (name, value) => printableField(name, value));
      const line = shortLine(entry);
      if (line !== null) stream.write(line ? `${colours.dim(timeOf(entry))} ${line}\n` : pretty(entry));
    },
  };

  function shortLine(entry: Entry): string | null | undefined {
    if (entry.msg === deliveryAttempted) return deliveryLine(entry as unknown as DeliveryEntry, colours);
    if (entry.msg !== requestEnded) return undefined;
    const request = entry as unknown as RequestEntry;
    return isNoise(request) ? null : requestLine(request, colours);
  }
}

/** Some errors have only a code, such as the error for several addresses that all refused a connection. */
function withShortError({ err, ...entry }: Entry): object {
  return err ? { ...entry, err: err.message || err.code || err.type || err } : entry;
}

function printableField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return name === 'stack' ? printableLines(value) : printable(value);
}

function timeOf({ time }: Entry): string {
  return new Date(time).toTimeString().slice(0, 8);
}

interface RequestEntry {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  isAborted: boolean;
}

interface DeliveryEntry {
  event: string;
  host?: string;
  attempt: number;
  statusCode: number | null;
  error: DeliveryError | null;
  errorCause?: string;
  durationMs: number;
  next: 'delivered' | 'retry' | 'give-up' | 'disable';
  retryInMs?: number;
}

function isNoise({ path, status }: RequestEntry): boolean {
  if (/^\/(healthz|readyz|metrics)$/.test(path)) return true;
  return status < 400 && /^\/(docs|dashboard|checkout|home)\/assets\//.test(path);
}

function requestLine({ method, path, status, durationMs, isAborted }: RequestEntry, colours: Colours): string {
  const answer = isAborted ? colours.yellow('gone') : statusColour(status, colours)(String(status).padEnd(4));
  const took = `${durationMs} ms${isAborted ? ', the client left before the end of the answer' : ''}`;
  return `${method.padEnd(6)} ${answer} ${path} ${colours.dim(took)}`;
}

function statusColour(status: number, colours: Colours): Colours['green'] {
  if (status >= 500) return colours.red;
  return status >= 400 ? colours.yellow : colours.green;
}

function deliveryLine(entry: DeliveryEntry, colours: Colours): string {
  const { event, host, attempt, durationMs, next } = entry;
  const mark = next === 'delivered' ? colours.green('✓') : colours.red('✗');
  const parts = [`${resultOf(entry)} ${colours.dim(`${durationMs} ms`)}`, `attempt ${attempt}`, nextOf(entry)];
  return `${mark} ${event} → ${host ?? 'an invalid address'}: ${parts.filter(Boolean).join(', ')}`;
}

function resultOf({ statusCode, error, errorCause }: DeliveryEntry): string {
  if (error) return [errorWords[error] ?? error, errorCause && `(${errorCause})`].filter(Boolean).join(' ');
  return `answered ${statusCode}`;
}

const errorWords: Record<DeliveryError, string> = {
  address_refused: 'the address is not allowed',
  dns_failed: 'the name of the host was not found',
  connection_refused: 'nothing listens at this address',
  connection_reset: 'the receiver closed the connection',
  connect_timeout: 'no connection in time',
  timeout: 'no answer in time',
  tls_failed: 'the certificate or TLS is wrong',
  protocol_error: 'the answer is not HTTP',
  network_error: 'the network failed',
};

function nextOf({ next, retryInMs = 0 }: DeliveryEntry): string {
  if (next === 'retry') return `next try in ${duration(retryInMs)}`;
  if (next === 'give-up') return 'no more tries';
  return next === 'disable' ? 'no more tries, and the endpoint is now inactive' : '';
}

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
