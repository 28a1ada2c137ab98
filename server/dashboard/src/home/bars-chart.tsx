import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';

interface BarsChartProps {
  rows: Record<string, string | number>[];
  series: readonly ChartSeries[];
  write: (value: number) => string;
  writeShort: (value: number) => string;
  /** Whether all values are integers, so that the axis needs no fractions. */
  isCount: boolean;
}

/** This component has its own file, so that the large script of the chart library is loaded only with a chart. */
export function BarsChart({ rows, series, write, writeShort, isCount }: BarsChartProps): ReactNode {
  const highest = Math.max(0, ...rows.map((row) => series.reduce((sum, { name }) => sum + Number(row[name] ?? 0), 0)));
  const isEmpty = rows.every((row) => series.every(({ name }) => row[name] === 0));
  return (
    <BarChart
      h={180}
      data={rows}
      dataKey="label"
      type="stacked"
      series={[...series]}
      valueFormatter={write}
      withLegend={series.length > 1}
      tickLine="none"
      gridAxis="x"
      yAxisProps={{
        // Some languages write "240 thousand" and not "240K".
        width: Math.max(56, 16 + 8 * writeShort(highest).length),
        tickFormatter: writeShort,
        allowDecimals: !isCount,
        // When all values are 0, the chart library would draw an axis with meaningless numbers.
        ...(isEmpty && { domain: [0, 1], ticks: [0] }),
      }}
      xAxisProps={{ minTickGap: 24 }}
      // A table beside the chart has the same values, so keyboard users do not need to reach the bars.
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}

export interface ChartSeries {
  name: string;
  color: string;
}
