/**
 * Serves the dashboard and the docs with the mock in place of the API and the hosted checkout. Every page has records.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import { readContract } from '@tillhook/openapi';
import { loadConfig } from '@tillhook/server';
import type { Context } from '@tillhook/server/src/context.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { receiptPreview } from '@tillhook/server/src/money/mails/receipt-preview.service.ts';
import { dashboardRoutes } from '@tillhook/server/src/pages/dashboard/dashboard.routes.ts';
import { docsRoutes } from '@tillhook/server/src/pages/docs/docs.routes.ts';
import { previewHeaders } from '@tillhook/server/src/pages/mails/receipt-preview.routes.ts';
import { createProcessors } from '@tillhook/server/src/processors/processors.ts';
import express from 'express';
import { passOn } from '../network/pass-on.ts';
import { changeAnswersOf } from './changed-answers.ts';

export interface MockDashboard {
  /** The URL without `/dashboard`. */
  url: string;
  stop(): Promise<void>;
}

interface Options {
  port?: number;
  /** If a person uses the dashboard, the mock stores new records, and its links lead to this dashboard. */
  isForPeople?: boolean;
}

export async function startMockDashboard({ port = 0, isForPeople = false }: Options = {}): Promise<MockDashboard> {
  // Screenshots must not depend on records that an earlier page created, or on the port of this run.
  const mock = await startMock(isForPeople ? {} : { publicUrl: 'http://localhost:3000', remembers: false });
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  app.use('/api', changeAnswersOf(mock.url));
  app.use(['/api', '/checkout', '/pay'], (incoming, response) =>
    passOn(incoming, response, mock.url + incoming.originalUrl),
  );
  const context = await contextOfPages(url);
  app.get('/mails/receipt-preview', previewHeaders, (_request, response) => {
    const clock = { now: () => new Date('2026-11-21T10:15:30Z') };
    response.type('html').send(receiptPreview({ publicUrl: url, clock }, merchant, 'en').html);
  });
  app.use([dashboardRoutes(context), docsRoutes(readContract(), context)]);
  return {
    url,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mock.stop();
    },
  };
}

/** The merchant of the mock's settings. */
const merchant = {
  ...{ name: 'Ada’s Shop', currency: 'NGN', colour: '#1f4fbf', logoHash: null, statementName: 'ADAS SHOP' },
  ...{ supportEmail: 'help@shop.example.com', supportUrl: null, replyTo: null },
};

/** The pages read only settings from the context, so no server has to run. */
async function contextOfPages(
  publicUrl: string,
): Promise<Pick<Context, 'config' | 'processors' | 'publicUrl' | 'log'>> {
  const [config, log] = [loadConfig({}), createLogger('warn')];
  return { config, log, publicUrl, processors: await createProcessors(config, log) };
}
