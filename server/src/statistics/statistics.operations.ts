import { type Operations, read } from '../operation/operation.ts';
import { listEndpointHealth } from './endpoint-health.service.ts';
import { endpointHealthListView } from './endpoint-health.view.ts';
import { getOverview } from './overview.service.ts';
import { overviewView } from './overview.view.ts';
import { getStatistics } from './statistics.service.ts';
import { statisticsView } from './statistics.view.ts';

const defaultDays = 7;
const defaultHours = 24;

export const statisticsOperations = {
  getStatistics: read(async (context, { query }) => statisticsView(await getStatistics(context, query))),

  getOverview: read(async (context, { query: { days = defaultDays } }) =>
    overviewView(await getOverview(context, days)),
  ),

  listEndpointHealth: read(async (context, { query: { hours = defaultHours } }) =>
    endpointHealthListView(await listEndpointHealth(context, hours)),
  ),
} satisfies Partial<Operations>;
