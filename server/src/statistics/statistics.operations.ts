import { type Operations, read } from '../http/operation.ts';
import { getStatistics } from './statistics.service.ts';
import { statisticsView } from './statistics.view.ts';

export const statisticsOperations = {
  getStatistics: read(async (context, { query }) => statisticsView(await getStatistics(context, query))),
} satisfies Partial<Operations>;
