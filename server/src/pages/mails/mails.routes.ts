/**
 * The mailbox of a demo without a mail server. Mails contain links with tokens, so only a browser on this machine may
 * read them, and any other request gets the answer for an unknown path.
 * See docs/decisions/mail.md, "A demo shows its mails to its own machine".
 */
import { type Request, type Response, Router } from 'express';
import { notStored, pageHeadersWith } from '../../api/page-headers.ts';
import { type Context, withFreshEntityManager } from '../../context.ts';
import { basePath } from '../../kit/base-path.ts';
import type { Html } from '../../kit/html.ts';
import type { Mail } from '../../platform/mail/mail.entity.ts';
import {
  contentOf,
  findMail,
  listMails,
  type MailContent,
  type MailRenderers,
} from '../../platform/mail/mails.service.ts';
import { mailPage, mailsPage, maxShown, sandbox } from './mails.page.ts';

interface MailsOptions {
  name: string;
  publicUrl: string;
  mayReadMails: (request: Request) => boolean;
  renderers: MailRenderers;
}

const none = ["'none'"];
const listHeaders = pageHeadersWith({ connectSrc: none });
const mailHeaders = pageHeadersWith({ connectSrc: none, frameSrc: ["'self'"] });
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

export function mailsRoutes({ name, publicUrl, mayReadMails, renderers }: MailsOptions): Router {
  const place = { name, base: basePath(publicUrl) };
  /** The mailbox is for people who write mails, so it shows why a mail has no content. */
  const shownContent = async (context: Context, mail: Mail): Promise<MailContent> => {
    const content = await contentOf(withFreshEntityManager(context), renderers, mail).catch(unrendered);
    return content ?? noContent('No longer needed: its link was used or has ended, or what it tells of has changed');
  };
  const router = Router();
  router.use('/mails', (request, _response, next) => next(mayReadMails(request) ? undefined : 'router'));
  router.get('/mails', listHeaders, notStored, async ({ context }, response) => {
    const mails = await listMails(context, { limit: maxShown });
    const shown = mails.map(async (mail) => ({ mail, content: await shownContent(context, mail) }));
    sendPage(response, mailsPage(place, await Promise.all(shown)));
  });
  router.get('/mails/latest', listHeaders, notStored, async ({ context, query }, response) => {
    const [mail] = await listMails(context, { recipient: String(query.to), limit: 1 });
    response.redirect(303, `${place.base}/mails${mail ? `/${mail.id}` : ''}`);
  });
  router.get<{ id: string }>('/mails/:id', mailHeaders, notStored, async ({ context, params }, response, next) => {
    const mail = await findMail(context, params.id);
    if (!mail) return next('router');
    const from = context.config.mail?.from;
    sendPage(response, mailPage(place, { mail, from, content: await shownContent(context, mail) }));
  });
  router.get<{ id: string }>('/mails/:id/html', htmlHeaders, notStored, async ({ context, params }, response, next) => {
    const mail = await findMail(context, params.id);
    if (!mail) return next('router');
    response.type('html').send((await shownContent(context, mail)).html);
  });
  return router;
}

const unrendered = (error: unknown) => noContent(`Not rendered: ${error instanceof Error ? error.message : error}`);

const noContent = (reason: string): MailContent => ({ subject: reason, text: '', html: '' });

function sendPage(response: Response, page: Html): void {
  response.type('html').send(String(page));
}
