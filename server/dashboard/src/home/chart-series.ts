/** One kind of bar or line in a chart. */
export interface ChartSeries {
  name: string;
  color: string;
}
