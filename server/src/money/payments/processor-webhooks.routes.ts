/**
 * Receives the webhooks of processors. The only credential is the processor's signature over the raw bytes of the body,
 * so these routes come before any body parser. A 2xx answer means that the event's effect is saved. After any other
 * answer the processor sends the event again.
 */
import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import type { WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { statusOf } from '../../operation/failure-status.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  InvalidSignatureError,
  type ProcessorEvent,
  type RedirectProcessor,
  type RefundsEvent,
} from '../../processors/port.ts';
import { applyAttemptEvent, applyDisputeEvent } from './processor-events.service.ts';

/** Most Stripe events have a few kilobytes; an event with a large object has a few hundred. */
const limitBytes = 1_048_576;

/** Functions of modules that this one must not import. */
interface WebhookParts {
  /** Applies events about refunds. */
  applyRefunds(context: WriteContext, processor: string, event: RefundsEvent): Promise<void>;
  /** Makes a parser of bodies that answers also when a body does not end. */
  withinBound(parser: RequestHandler, limitBytes: number): RequestHandler;
}

export function processorWebhookRoutes({ applyRefunds, withinBound }: WebhookParts): Router {
  const apply = (tx: WriteContext, processor: string, event: ProcessorEvent) => {
    switch (event.about) {
      case 'attempt':
        return applyAttemptEvent(tx, processor, event);
      case 'dispute':
        return applyDisputeEvent(tx, processor, event);
      case 'refunds':
        return applyRefunds(tx, processor, event);
    }
  };
  const routes = Router();
  const readBody = withinBound(express.raw({ type: () => true, limit: limitBytes }), limitBytes);
  routes.post('/:name/webhook', readBody, async (request: Request, response: Response) => {
    const processor = redirectProcessor(request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const event = await processor.parseWebhook(body, request.get('Stripe-Signature') ?? '');
    if (event) await inTransaction(request.context, (tx) => apply(tx, processor.name, event));
    response.json({ received: true });
  });
  routes.use((_request, _response, next) => next(notFound()));
  routes.use((error: unknown, { context }: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status = error instanceof InvalidSignatureError ? 400 : statusOf(error);
    // The error is not logged, because its cause contains the event. Many of these lines mean that our secret is wrong.
    if (error instanceof InvalidSignatureError)
      context.log.warn('Webhook signature does not match STRIPE_WEBHOOK_SECRET');
    if (status >= 500) context.log.error({ err: error }, 'A processor’s webhook cannot be processed');
    response.status(status).json({ received: false });
  });
  return Router().use('/processors', routes);
}

function redirectProcessor({ context, params }: Request): RedirectProcessor {
  const found = Object.values(context.processors).find(({ name }) => name === params.name);
  if (found?.takes !== 'redirect') throw notFound();
  return found;
}
