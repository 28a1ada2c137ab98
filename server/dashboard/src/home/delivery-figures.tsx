import { SimpleGrid } from '@mantine/core';
import type { Overview } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { countIn, deliveryStates } from '../deliveries/delivery-states.ts';
import { failedOf } from '../deliveries/tried-words.ts';
import { AnchorLink } from '../kit/links.tsx';
import { inMs } from '../kit/milliseconds.ts';
import { ExactMoment } from '../kit/moment.tsx';
import { Section } from '../kit/section.tsx';
import { FiguresChart } from './figures-chart.tsx';
import { Compared, count, Stat, share } from './stat.tsx';

export function DeliveryFigures({ overview }: { overview: Overview }): ReactNode {
  const mode = useMode();
  const { deliveries: now, answers } = overview.now;
  const { deliveries: before, answers: answersBefore } = overview.before;
  if (!now || now.created + (before?.created ?? 0) === 0) return null;
  const { days, deliveriesKeptFrom } = overview;
  const compared = (of: 'delivered' | 'failed') =>
    before ? (
      <Compared days={days} now={now[of]} before={before[of]} write={(value) => count().format(value)} />
    ) : (
      'No data for the period before'
    );
  const isCut = Date.parse(deliveriesKeptFrom) > Date.parse(overview.now.from);
  return (
    <Section
      title="Deliveries"
      about={
        isCut && (
          <>
            Deliveries before <ExactMoment at={deliveriesKeptFrom} /> are no longer stored and not counted.
          </>
        )
      }
      actions={
        <AnchorLink to="/$mode/deliveries" params={{ mode }}>
          All deliveries
        </AnchorLink>
      }
      isBare
    >
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        <Stat
          label={deliveryStates.delivered.title}
          value={count().format(now.delivered)}
          note={compared('delivered')}
        />
        <Stat
          label={deliveryStates.failed.title}
          value={<Linked state="failed" count={now.failed} from={overview.now.from} />}
          note={compared('failed')}
        />
        <Stat
          label={deliveryStates.retrying.title}
          value={<Linked state="retrying" count={now.retrying} from={overview.now.from} />}
          note={`${count().format(countIn('pending', now))} pending, ${count().format(now.skipped)} skipped`}
        />
        <Stat
          label="Attempts accepted"
          value={share(now.attempts - now.failedAttempts, now.attempts) ?? 'No attempts'}
          note={failedOf(now)}
        />
        <Stat
          label="Response time, median"
          value={timeOf(answers?.median)}
          note={<Times days={days} now={answers?.median} before={answersBefore?.median} />}
        />
        <Stat
          label="Response time, p95"
          value={timeOf(answers?.p95)}
          note={<Times days={days} now={answers?.p95} before={answersBefore?.p95} />}
        />
      </SimpleGrid>
      <FiguresChart
        title="Deliveries"
        interval={overview.interval}
        timeZone={overview.timeZone}
        points={overview.intervals.map(({ startsAt, deliveries }) => ({
          startsAt,
          values: charted.map(({ state }) => countIn(state, deliveries)),
        }))}
        series={charted.map(({ state, color }) => ({ name: deliveryStates[state].title, color }))}
        write={(value) => count().format(value)}
        isCount
      />
    </Section>
  );
}

const charted = [
  { state: 'delivered', color: 'var(--accent)' },
  { state: 'failed', color: 'var(--bad)' },
  { state: 'retrying', color: 'var(--warn)' },
  { state: 'pending', color: 'var(--waiting)' },
  { state: 'skipped', color: 'var(--muted)' },
] as const;

interface LinkedProps {
  state: 'failed' | 'retrying';
  count: number;
  from: string;
}

function Linked({ state, count: counted, from }: LinkedProps): ReactNode {
  const mode = useMode();
  const written = count().format(counted);
  if (counted === 0) return written;
  return (
    <AnchorLink
      to="/$mode/deliveries"
      params={{ mode }}
      search={{ status: state, from }}
      fz="inherit"
      fw="inherit"
      lh="inherit"
      aria-label={
        state === 'failed' ? `${written} failed: see which and why` : `${written} retrying: see which and why`
      }
    >
      {written}
    </AnchorLink>
  );
}

interface TimesProps {
  days: Overview['days'];
  now: number | null | undefined;
  before: number | null | undefined;
}

function Times({ days, now, before }: TimesProps): ReactNode {
  return <Compared days={days} now={now ?? null} before={before ?? null} write={inMs} />;
}

function timeOf(value: number | null | undefined): string {
  return value === null || value === undefined ? 'None' : inMs(value);
}
