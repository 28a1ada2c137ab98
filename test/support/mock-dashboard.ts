/** The dashboard as the server serves it, with the mock in place of the service: every page is full, and nothing is kept. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import { dashboardRoutes } from '@tillhook/server/src/dashboard/dashboard.routes.ts';
import express from 'express';

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
  app.use('/api', (incoming, response) => passOn(incoming, response, mock.url));
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

function passOn(incoming: IncomingMessage & { originalUrl: string }, response: ServerResponse, mockUrl: string): void {
  const { method, headers, originalUrl } = incoming;
  const asked = request(new URL(originalUrl, mockUrl), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  incoming.pipe(asked);
}
