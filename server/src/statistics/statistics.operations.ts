import { type Operation, read } from '../operation/operation.ts';
import * as endpointHealth from './endpoint-health.service.ts';
import { endpointHealthListView } from './endpoint-health.view.ts';
import { listLiveNeeds } from './live-setup.service.ts';
import * as overview from './overview.service.ts';
import { overviewView } from './overview.view.ts';
import * as statistics from './statistics.service.ts';
import { statisticsView } from './statistics.view.ts';

const defaultDays = 7;
const defaultHours = 24;

export const getStatistics: Operation<'getStatistics'> = read(async (context, { query }) =>
  statisticsView(await statistics.getStatistics(context, query)),
);

export const getOverview: Operation<'getOverview'> = read(async (context, { query: { days = defaultDays } }) =>
  overviewView(await overview.getOverview(context, days)),
);

export const listEndpointHealth: Operation<'listEndpointHealth'> = read(
  async (context, { query: { hours = defaultHours } }) =>
    endpointHealthListView(await endpointHealth.listEndpointHealth(context, hours)),
);

export const getLiveSetup: Operation<'getLiveSetup'> = read(async (context) => ({
  needs: await listLiveNeeds(context),
}));
