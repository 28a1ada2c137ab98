import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';

interface BarsChartProps {
  rows: Record<string, string | number>[];
  series: readonly ChartSeries[];
  write: (value: number) => string;
  writeShort: (value: number) => string;
  /** True when all values are whole numbers, so that the axis shows no fractions. */
  isCount: boolean;
}

/** In a separate file, because the library for charts is the largest script of the dashboard. */
export function BarsChart({ rows, series, write, writeShort, isCount }: BarsChartProps): ReactNode {
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
        width: 56,
        tickFormatter: writeShort,
        allowDecimals: !isCount,
        // When every value is 0, the library would draw a scale with meaningless numbers.
        ...(isEmpty && { domain: [0, 1], ticks: [0] }),
      }}
      xAxisProps={{ minTickGap: 24 }}
      // A table beside the chart has the same values, so the bars need not be reachable by keyboard.
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}

/** One kind of bar or line in a chart. */
export interface ChartSeries {
  name: string;
  color: string;
}
