import express, { type Request, type Response } from 'express';
import { withinBound } from '../../api/bodies.ts';
import type { Html } from '../../kit/html.ts';
import { setRetryAfter, statusOf } from '../../operation/failure-status.ts';
import { errorPage, type SentencesByStatus } from './error.page.ts';
import { checkoutPath } from './open-visit.ts';
import { wordsFor } from './words/words.ts';

const formBytes = 4096;
export const readForm = withinBound(
  express.urlencoded({ extended: false, limit: formBytes, parameterLimit: 20 }),
  formBytes,
);

export function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type('html').send(String(page));
}

/** `sentences` replaces the sentences of some statuses. */
export function sendFailure(
  error: unknown,
  request: Request,
  response: Response,
  sentences: SentencesByStatus = {},
): void {
  const { context, id } = request;
  const status = statusOf(error);
  if (status >= 500) context.log.error({ err: error }, 'Failed to answer a request for a checkout page');
  setRetryAfter(response, error);
  // The failed request may belong to no payment, so the language comes from the browser.
  const words = wordsFor(request.acceptsLanguages());
  sendPage(response, status, errorPage({ words, base: checkoutPath(context), status, requestId: id, sentences }));
}
