/**
 * The mailbox of a demo without a mail server. Mails contain links with tokens, so only a browser on this machine may
 * read them, and any other request gets the answer for an unknown path.
 * See docs/decisions/mail.md, "A demo shows its mails to its own machine".
 */
import express, { type Request, type Response, Router } from 'express';
import { notStored, pageHeadersWith } from '../../api/page-headers.ts';
import { basePath } from '../../kit/base-path.ts';
import type { Html } from '../../kit/html.ts';
import { isLoopbackName } from '../../kit/loopback.ts';
import { contentOf, findMail, listMails } from '../../platform/mail/mails.service.ts';
import { mailPage, mailsPage, maxShown, sandbox } from './mails.page.ts';

interface MailsOptions {
  name: string;
  publicUrl: string;
  isFromHere: (request: Request) => boolean;
}

const none = ["'none'"];
const listHeaders = pageHeadersWith({ scriptSrc: none, connectSrc: none });
const mailHeaders = pageHeadersWith({ scriptSrc: none, connectSrc: none, frameSrc: ["'self'"] });
/** A frame with `srcdoc` would have the policy of its page, so the HTML of a mail is a document with its own policy. */
const htmlHeaders = pageHeadersWith(
  {
    scriptSrc: none,
    connectSrc: none,
    formAction: none,
    styleSrc: ["'unsafe-inline'"],
    frameAncestors: ["'self'"],
    sandbox,
  },
  'sameorigin',
);

export function mailsRoutes({ name, publicUrl, isFromHere }: MailsOptions): Router {
  const place = { name, base: basePath(publicUrl) };
  const router = Router();
  router.use('/mails', (request, _response, next) => {
    // The name in the URL is checked because another site can give its own name the address 127.0.0.1.
    next(isFromHere(request) && isLoopbackName(request.hostname ?? '') ? undefined : 'router');
  });
  router.use('/mails/assets', express.static(`${import.meta.dirname}/assets`, { index: false, redirect: false }));
  router.get('/mails', listHeaders, notStored, async ({ context }, response) => {
    const mails = await listMails(context, { limit: maxShown });
    const shown = mails.map((mail) => ({ mail, subject: contentOf(context, mail).subject }));
    sendPage(response, mailsPage(place, shown));
  });
  router.get<{ id: string }>('/mails/:id', mailHeaders, notStored, async ({ context, params }, response, next) => {
    const mail = await findMail(context, params.id);
    if (!mail) return next('router');
    const from = context.config.mail?.from;
    sendPage(response, mailPage(place, { mail, from, content: contentOf(context, mail) }));
  });
  router.get<{ id: string }>('/mails/:id/html', htmlHeaders, notStored, async ({ context, params }, response, next) => {
    const mail = await findMail(context, params.id);
    if (!mail) return next('router');
    response.type('html').send(contentOf(context, mail).html);
  });
  return router;
}

function sendPage(response: Response, page: Html): void {
  response.type('html').send(String(page));
}
