import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The program that holds a dashboard to Grafana's types. `.ci/run` builds it where Go is installed. */
export const dashboardCheck = fileURLToPath(new URL('../../services/grafana/dist/check-dashboard', import.meta.url));

export const hasDashboardCheck = (): boolean => existsSync(dashboardCheck);
