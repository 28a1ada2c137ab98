/** The lines about requests and deliveries in the log for people. */
import type { DeliveryError } from './delivery-codes.ts';
import type { Colours } from './terminal.ts';

export interface RequestEntry {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  isAborted: boolean;
}

export interface DeliveryEntry {
  event: string;
  /** Missing where the address of the endpoint cannot be read. */
  host?: string;
  attempt: number;
  statusCode: number | null;
  error: DeliveryError | null;
  errorCause?: string;
  durationMs: number;
  next: 'delivered' | 'retry' | 'give-up' | 'disable';
  retryInMs?: number;
}

/** Probes, metrics, and the files of pages. Programs and browsers fetch them all the time. */
export function isNoise({ path, status }: RequestEntry): boolean {
  if (/^\/(healthz|readyz|metrics)$/.test(path)) return true;
  return status < 400 && /^\/(docs|dashboard|checkout|home)\/assets\//.test(path);
}

export function requestLine({ method, path, status, durationMs, isAborted }: RequestEntry, colours: Colours): string {
  const answer = isAborted ? colours.yellow('gone') : statusColour(status, colours)(String(status).padEnd(4));
  const took = `${durationMs} ms${isAborted ? ', the client left before the end of the answer' : ''}`;
  return `${method.padEnd(6)} ${answer} ${path} ${colours.dim(took)}`;
}

function statusColour(status: number, colours: Colours): Colours['green'] {
  if (status >= 500) return colours.red;
  return status >= 400 ? colours.yellow : colours.green;
}

export function deliveryLine(entry: DeliveryEntry, colours: Colours): string {
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

/** In the largest unit that keeps it a short number. */
function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
