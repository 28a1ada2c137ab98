/** `npm run dashboard:mock`: serves the dashboard over the mock until Ctrl-C. It accepts any email and password. */
import { build, dashboard } from '@tillhook/server/src/start/build.ts';
import { startMockDashboard } from '../support/dashboard/mock-dashboard.ts';

await build(dashboard);
const { url, stop } = await startMockDashboard({
  port: Number(process.env.DASHBOARD_MOCK_PORT ?? 4020),
  isForPeople: true,
});
console.log(`dashboard ${url}/dashboard`);
console.log('sign in with any email and password');
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
