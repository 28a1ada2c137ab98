/**
 * The only credential is the processor's signature of the raw body, so no body parser may run before these routes.
 * A 2xx response means that the effect of the event is saved. After any other response, the processor sends the event
 * again.
 */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { withinBound } from '../../api/bodies.ts';
import type { WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { statusOf } from '../../operation/failure-status.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { InvalidSignatureError, type ProcessorEvent, type RedirectProcessor } from '../../processors/port.ts';
import { applyAttemptEvent, applyDisputeEvent } from './payment-events.service.ts';
import { applyRefundsEvent } from './refund-events.service.ts';

/** The largest events of processors have a few hundred kilobytes. */
const maxBytes = 1_048_576;

export function processorWebhookRoutes(): Router {
  const apply = (tx: WriteContext, processor: string, event: ProcessorEvent) => {
    switch (event.about) {
      case 'attempt':
        return applyAttemptEvent(tx, processor, event);
      case 'dispute':
        return applyDisputeEvent(tx, processor, event);
      case 'refunds':
        return applyRefundsEvent(tx, processor, event);
    }
  };
  const routes = Router();
  const readBody = withinBound(express.raw({ type: () => true, limit: maxBytes }), maxBytes);
  routes.post('/:name/webhook', readBody, async (request: Request, response: Response) => {
    const processor = redirectProcessor(request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const event = await processor.parseWebhook(body, request.headers);
    if (event) await inTransaction(request.context, (tx) => apply(tx, processor.name, event));
    response.json({ received: true });
  });
  routes.use((_request, _response, next) => next(notFound()));
  routes.use((error: unknown, { context }: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status = error instanceof InvalidSignatureError ? 400 : statusOf(error);
    // Only the message is logged, because the cause of the error contains the event.
    if (error instanceof InvalidSignatureError) context.log.warn(error.message);
    if (status >= 500) context.log.error({ err: error }, 'Failed to process a webhook of a processor');
    response.status(status).json({ received: false });
  });
  return Router().use('/processors', routes);
}

function redirectProcessor({ context, params }: Request): RedirectProcessor {
  const found = Object.values(context.processors).find(({ name }) => name === params.name);
  if (found?.takes !== 'redirect') throw notFound();
  return found;
}
