import type { Attempt } from '../sending/event-sender.ts';
import { failureOf, isReceived } from '../sending/post-webhook.ts';
import { inWords, timeOfDay } from '../terminal/moment.ts';
import { printable } from '../terminal/printable.ts';
import { cut, type Screen } from '../terminal/screen.ts';
import { maxEventNameLength } from './event-names.ts';

export interface ShownEvent {
  event: string;
  reference: string | null;
}

const wideColumns = 60;
const referenceColumns = 24;
const statusColumns = 8;

export function eventLine(screen: Screen, { event, reference }: ShownEvent, status: string): string {
  return lineOf(screen, { mark: '•', colour: screen.colours.cyan, event, reference, status, remark: '' });
}

export function attemptLine(
  screen: Screen,
  { event, reference }: ShownEvent,
  { attempt, retryInMs }: { attempt: Attempt; retryInMs: number | null },
): string {
  const hasReceived = isReceived(attempt.statusCode);
  const { green, red } = screen.colours;
  return lineOf(screen, {
    mark: hasReceived ? '✓' : '✗',
    colour: hasReceived ? green : red,
    event,
    reference,
    status: String(attempt.statusCode ?? failureOf(attempt).word),
    remark: hasReceived ? `${attempt.durationMs} ms` : remarkOf(attempt, retryInMs),
  });
}

function remarkOf({ attempt }: Attempt, retryInMs: number | null): string {
  if (retryInMs !== null) return `attempt ${attempt}, again in ${inWords(retryInMs)}`;
  return `given up after ${attempt} ${attempt === 1 ? 'attempt' : 'attempts'}`;
}

interface Line extends ShownEvent {
  mark: string;
  colour: (text: string) => string;
  status: string;
  remark: string;
}

function lineOf(screen: Screen, { mark, colour, event, reference, status, remark }: Line): string {
  const isWide = screen.columns >= wideColumns;
  const time = timeOfDay(new Date());
  const before = `${isWide ? time : time.slice(0, 5)} `;
  const name = printable(event).padEnd(maxEventNameLength);
  const after = isWide
    ? `${status.padEnd(statusColumns)}  ${printable(reference ?? '—').padEnd(referenceColumns)}  ${remark}`
    : `${status} ${printable(reference ?? '')}`;
  const room = screen.columns - before.length - 2;
  const rest = cut(`${name} ${after}`.trimEnd(), room);
  return `${screen.colours.dim(before)}${colour(mark)} ${rest}`;
}

export function hintFor({ statusCode, ...failed }: Attempt): string | null {
  if (statusCode === null) return failureOf(failed).sentence;
  if (statusCode >= 300 && statusCode < 400) return 'Redirects are not followed: name the address that it leads to.';
  if (statusCode === 404) return 'Your receiver has no such path: check the path of --forward-to.';
  if (statusCode === 410)
    return 'Your receiver says that it takes no more webhooks. The service would disable the endpoint.';
  if ([400, 401, 403].includes(statusCode))
    return 'Your receiver refused it: does it verify with the secret above, over the raw body?';
  if (statusCode === 413) return 'Your receiver limits bodies to less than a webhook has.';
  return statusCode >= 500 ? 'Your receiver failed: see its log.' : null;
}
