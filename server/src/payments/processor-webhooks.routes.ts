/**
 * Where processors tell what happened, by themselves and more than once. Their signature is the only credential, over the
 * bytes as they came, so this stands before any parser. It answers 2xx once what was told is saved, and else has it told
 * again.
 */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { inTransaction } from '../database/transaction.ts';
import { notFound } from '../kit/errors.ts';
import { statusOf } from '../operation/failure-status.ts';
import { ForgedEvent, type RedirectProcessor } from '../processors/port.ts';
import { takeProcessorEvent } from './processor-events.service.ts';

/** An event of Stripe has some kilobytes; one whose object is large has some hundred. */
const limit = '1mb';

export function processorWebhookRoutes(): Router {
  const routes = Router();
  routes.post('/:name/webhook', express.raw({ type: () => true, limit }), async (request, response) => {
    const processor = redirectProcessor(request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const event = await processor.parseWebhook(body, request.get('Stripe-Signature') ?? '');
    if (event) await inTransaction(request.context, (tx) => takeProcessorEvent(tx, processor.name, event));
    response.json({ received: true });
  });
  routes.use((_request, _response, next) => next(notFound()));
  routes.use((error: unknown, { context }: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status = error instanceof ForgedEvent ? 400 : statusOf(error);
    // Without its cause, which holds the event. Many of these say that the secret here is not the processor's.
    if (error instanceof ForgedEvent)
      context.log.warn('an event came that no processor signed with the secret of here');
    if (status >= 500) context.log.error({ err: error }, 'a processor’s event cannot be taken');
    response.status(status).json({ received: false });
  });
  return Router().use('/processors', routes);
}

function redirectProcessor({ context, params }: Request): RedirectProcessor {
  const found = Object.values(context.processors).find(({ name }) => name === params.name);
  if (found?.takes !== 'redirect') throw notFound();
  return found;
}
