import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { ChartSeries } from './chart-series.ts';

interface BarsChartProps {
  rows: Record<string, string | number>[];
  series: readonly ChartSeries[];
  write: (value: number) => string;
  writeShort: (value: number) => string;
}

/** In a separate file because charts are the largest script of the dashboard. */
export function BarsChart({ rows, series, write, writeShort }: BarsChartProps): ReactNode {
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
      yAxisProps={{ width: 56, tickFormatter: writeShort }}
      xAxisProps={{ minTickGap: 24 }}
      // A table beside it says the same: nobody has to walk through the bars by keyboard.
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
