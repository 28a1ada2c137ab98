/** The dashboard as the server serves it, with the mock in place of the service: every page is full, and nothing is kept. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import { dashboardRoutes } from '@tillhook/server/src/dashboard/dashboard.routes.ts';
import express from 'express';
import { passOn } from './pass-on.ts';

export interface MockDashboard {
  /** Without `/dashboard`. */
  url: string;
  stop(): Promise<void>;
}

export async function startMockDashboard({ port = 0 }: { port?: number } = {}): Promise<MockDashboard> {
  const mock = await startMock();
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  app.use('/api', (incoming, response) => passOn(incoming, response, mock.url + incoming.originalUrl));
  app.use(dashboardRoutes({ publicUrl: url }));
  return {
    url,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mock.stop();
    },
  };
}
