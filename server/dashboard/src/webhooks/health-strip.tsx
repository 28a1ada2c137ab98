import type { ReactNode } from 'react';
import { lazyFormat } from '../kit/locale.ts';
import classes from './health-strip.module.css';
import { type EndpointHealth, endedIn, type Hour } from './use-health.ts';

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

/** Returns words such as "Last 24 hours: 120 delivered, 3 failed; the newest attempts failed". */
export function healthWords({ hours, isFailing }: EndpointHealth): string {
  const { delivered, failed } = endedIn(hours);
  const ended =
    delivered + failed === 0
      ? 'nothing ended'
      : `${count().format(delivered)} delivered, ${count().format(failed)} failed`;
  return `Last ${hours.length} hours: ${ended}${isFailing ? '; the newest attempts failed' : ''}`;
}

const count = lazyFormat((locale) => new Intl.NumberFormat(locale));
const clock = lazyFormat(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone }),
);

function hourWords({ startsAt, delivered, failed, median, p95 }: Hour): string {
  const from = `From ${clock().format(new Date(startsAt))}`;
  if (delivered + failed === 0) return `${from}: nothing ended`;
  const times = median === null || p95 === null ? '' : `; answers: median ${median} ms, 95 in 100 within ${p95} ms`;
  return `${from}: ${count().format(delivered)} delivered, ${count().format(failed)} failed${times}`;
}

function stateOf({ delivered, failed }: Hour): 'empty' | 'good' | 'bad' {
  if (delivered + failed === 0) return 'empty';
  return failed > 0 ? 'bad' : 'good';
}

/** The minimum height of the red part, so that one failure among thousands of deliveries is visible. */
const minPercent = 25;

function failedPercent({ delivered, failed }: Hour): number {
  return failed === 0 ? 0 : Math.max(minPercent, Math.round((100 * failed) / (delivered + failed)));
}
