import { SimpleGrid } from '@mantine/core';
import type { Overview } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { AnchorLink } from '../kit/links.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Section } from '../kit/section.tsx';
import { FiguresChart } from './figures-chart.tsx';
import { changeOf, comparedWith, count, Stat, share } from './stat.tsx';

export function DeliveryFigures({ overview }: { overview: Overview }): ReactNode {
  const mode = useMode();
  const { deliveries: now, answers } = overview.now;
  const { deliveries: before, answers: answersBefore } = overview.before;
  if (!now || now.created + (before?.created ?? 0) === 0) return null;
  const compared = (of: 'delivered' | 'failed') =>
    before
      ? comparedWith(count().format(before[of]), changeOf(now[of], before[of]))
      : 'The time before is no longer kept';
  const { deliveriesKeptFrom } = overview;
  const isCut = Date.parse(deliveriesKeptFrom) > Date.parse(overview.now.from);
  return (
    <Section
      title="Deliveries"
      about={
        isCut && (
          <>
            Deliveries from before <ExactMoment at={deliveriesKeptFrom} /> are no longer kept, and are not counted.
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
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
        <Stat label="Delivered" value={count().format(now.delivered)} before={compared('delivered')} />
        <Stat
          label="Failed"
          value={<Failed count={now.failed} from={overview.now.from} />}
          before={compared('failed')}
        />
        <Stat
          label="Delivered, of those that ended"
          value={share(now.delivered, now.delivered + now.failed) ?? 'None ended'}
          before={`${count().format(now.pending)} pending, ${count().format(now.skipped)} skipped`}
        />
        <Stat
          label="Receivers answer: median"
          value={inMs(answers?.median)}
          before={comparedWith(inMs(answersBefore?.median), null)}
        />
        <Stat
          label="Receivers answer: 95 in 100 within"
          value={inMs(answers?.p95)}
          before={comparedWith(inMs(answersBefore?.p95), null)}
        />
      </SimpleGrid>
      <FiguresChart
        title="Deliveries"
        interval={overview.interval}
        points={overview.intervals.map(({ startsAt, deliveries }) => ({
          startsAt,
          values: [deliveries.delivered, deliveries.failed, deliveries.skipped, deliveries.pending],
        }))}
        series={[
          { name: 'Delivered', color: 'var(--accent)' },
          { name: 'Failed', color: 'var(--bad)' },
          { name: 'Skipped', color: 'var(--muted)' },
          { name: 'Pending', color: 'var(--waiting)' },
        ]}
        write={(value) => count().format(value)}
        isCount
      />
    </Section>
  );
}

function Failed({ count: failed, from }: { count: number; from: string }): ReactNode {
  const mode = useMode();
  const written = count().format(failed);
  if (failed === 0) return written;
  return (
    <AnchorLink
      to="/$mode/deliveries"
      params={{ mode }}
      search={{ status: 'failed', from }}
      fz="inherit"
      fw="inherit"
      lh="inherit"
      aria-label={`${written} failed: see which, and why`}
    >
      {written}
    </AnchorLink>
  );
}

function inMs(value: number | null | undefined): string {
  return value === null || value === undefined ? 'none' : `${count().format(value)} ms`;
}
