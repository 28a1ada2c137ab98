import type { ReactNode } from 'react';
import { triedWords } from '../deliveries/tried-words.ts';
import { lazyFormat } from '../kit/locale.ts';
import { inMs } from '../kit/milliseconds.ts';
import classes from './health-strip.module.css';
import { type EndpointHealth, type Hour, sumOf } from './use-health.ts';

interface HealthStripProps {
  health: EndpointHealth | undefined;
  isLarge?: boolean;
}

/**
 * The red part of a bar hangs from the top of the strip, so that users can recognise failures without the colour.
 * Choice: not a chart of the chart library, because 100 KB of script are too much for 24 bars in a table cell.
 */
export function HealthStrip({ health, isLarge }: HealthStripProps): ReactNode {
  if (!health) return null;
  return (
    <span className={classes.strip} data-large={isLarge} role="img" aria-label={healthWords(health)}>
      {health.hours.map((hour) => (
        <span key={hour.startsAt} className={classes.hour} title={hourWords(hour)} data-state={stateOf(hour)}>
          <span className={classes.failed} style={{ height: `${failedPercent(hour)}%` }} />
        </span>
      ))}
    </span>
  );
}

/** Returns words such as "12 of 12 attempts failed since 10:40". */
export function healthWords({ hours, failingSince }: EndpointHealth): string {
  const { attempts, failedAttempts } = sumOf(hours);
  const within = `in the last ${hours.length} hours`;
  if (attempts === 0) return `No attempts ${within}`;
  const tried = triedWords({ attempts, failedAttempts });
  if (failingSince === null) return `${tried} ${within}`;
  const isAll = failedAttempts === attempts && failingSince >= (hours[0]?.startsAt ?? '');
  return isAll
    ? `${tried} since ${timeOf(failingSince)}`
    : `${tried} ${within}; none succeeded since ${timeOf(failingSince)}`;
}

/** A time of the last day needs no date. */
function timeOf(moment: string): string {
  const at = new Date(moment);
  return Date.now() - at.getTime() < dayMs ? time().format(at) : dateAndTime().format(at);
}

const dayMs = 86_400_000;
const time = lazyFormat(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }),
);
const dateAndTime = lazyFormat(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone }),
);
const clock = lazyFormat(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone }),
);

function hourWords(hour: Hour): string {
  const from = `From ${clock().format(new Date(hour.startsAt))}`;
  if (hour.attempts === 0) return `${from}: no attempts`;
  const { median, p95 } = hour;
  const times = median === null || p95 === null ? '' : `; response time: median ${inMs(median)}, p95 ${inMs(p95)}`;
  return `${from}: ${triedWords(hour)}${times}`;
}

function stateOf({ attempts, failedAttempts }: Hour): 'empty' | 'good' | 'bad' {
  if (attempts === 0) return 'empty';
  return failedAttempts > 0 ? 'bad' : 'good';
}

/** The minimum height of the red part, so that one failure among thousands of attempts is visible. */
const minPercent = 25;

function failedPercent({ attempts, failedAttempts }: Hour): number {
  return failedAttempts === 0 ? 0 : Math.max(minPercent, Math.round((100 * failedAttempts) / attempts));
}
