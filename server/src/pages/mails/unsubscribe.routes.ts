/**
 * The link at the end of a notification, and the address that mail programs call by themselves: RFC 8058 demands that a
 * POST needs no sign-in and no further question. A GET changes nothing, because programs that check links open them.
 */
import express, { type Request, type Response, Router } from 'express';
import { notStored, pageHeadersWith } from '../../api/page-headers.ts';
import { basePath } from '../../kit/base-path.ts';
import type { Html } from '../../kit/html.ts';
import { notificationTitles } from '../../kit/notification-kinds.ts';
import {
  findUnsubscription,
  switchMailsOff,
  type Unsubscription,
} from '../../people/notifications/unsubscribe.service.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { assetsPath } from './layout.ts';
import { invalidTokenPage, type StoppedMails, unsubscribedPage, unsubscribePage } from './unsubscribe.page.ts';

const none = ["'none'"];
const headers = pageHeadersWith({ connectSrc: none });

export function unsubscribeRoutes({ name, publicUrl }: { name: string; publicUrl: string }): Router {
  const place = { name, base: basePath(publicUrl) };
  const router = Router();
  router.use(assetsPath, express.static(`${import.meta.dirname}/assets`, { index: false, redirect: false }));
  router.get('/mails/unsubscribe', headers, notStored, async (request, response) => {
    const token = tokenOf(request);
    const found = await findUnsubscription(request.context, token);
    if (found) sendPage(response, 200, unsubscribePage(place, stopped(found), token));
    else sendPage(response, 400, invalidTokenPage(place));
  });
  router.post('/mails/unsubscribe', headers, notStored, async (request, response) => {
    const found = await findUnsubscription(request.context, tokenOf(request));
    if (!found) return sendPage(response, 400, invalidTokenPage(place));
    await inTransaction(request.context, (tx) => switchMailsOff(tx, found));
    sendPage(response, 200, unsubscribedPage(place, stopped(found)));
  });
  return router;
}

function tokenOf({ query: { token } }: Request): string {
  return typeof token === 'string' ? token : '';
}

function stopped({ user, kind }: Unsubscription): StoppedMails {
  return { title: notificationTitles[kind], email: user.email };
}

function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type('html').send(String(page));
}
