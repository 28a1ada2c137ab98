import { Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { knownZone, locale } from '../kit/locale.ts';
import type { ChartSeries } from './bars-chart.tsx';

const BarsChart = lazily(async () => (await import('./bars-chart.tsx')).BarsChart);

interface FiguresChartProps {
  title: string;
  interval: 'hour' | 'day';
  /** The time zone of the days. */
  timeZone: string;
  /** The `values` of a point are in the order of `series`. */
  points: readonly { startsAt: string; values: readonly number[] }[];
  series: readonly ChartSeries[];
  write: (value: number) => string;
  writeShort?: (value: number) => string;
  isCount?: boolean;
}

/** Screen readers read a table of the same figures. */
export function FiguresChart({
  title,
  interval,
  timeZone,
  points,
  series,
  write,
  writeShort = write,
  isCount = false,
}: FiguresChartProps): ReactNode {
  const format = new Intl.DateTimeFormat(locale(), { ...labels[interval], timeZone: knownZone(timeZone) });
  const label = ({ startsAt }: { startsAt: string }) => format.format(new Date(startsAt));
  return (
    <Paper p="sm">
      {/* This style keeps the labels of bars from making the page wider when the window becomes narrower. */}
      <div aria-hidden style={{ overflow: 'clip' }}>
        <Suspense fallback={<Skeleton h={180} />}>
          <BarsChart
            rows={points.map((point) => ({
              label: label(point),
              ...Object.fromEntries(series.map(({ name }, index) => [name, point.values[index] ?? 0])),
            }))}
            series={series}
            write={write}
            writeShort={writeShort}
            isCount={isCount}
          />
        </Suspense>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{interval === 'hour' ? 'Hour' : 'Day'}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.startsAt}>
                <th scope="row">{label(point)}</th>
                {series.map(({ name }, index) => (
                  <td key={name}>{write(point.values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Paper>
  );
}

const labels = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
} as const;
