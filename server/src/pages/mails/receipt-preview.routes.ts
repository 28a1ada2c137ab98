// See docs/decisions/mail.md, "The preview of a receipt is a separate page".
import { Router } from 'express';
import { notStored, pageHeadersWith } from '../../api/page-headers.ts';
import { notFound } from '../../kit/errors.ts';
import { openPreview } from '../../money/mails/receipt-preview.service.ts';

const none = ["'none'"];
/** The dashboard shows it in a frame, where its links do nothing. */
export const previewHeaders = pageHeadersWith(
  {
    scriptSrc: none,
    connectSrc: none,
    formAction: none,
    styleSrc: ["'unsafe-inline'"],
    frameAncestors: ["'self'"],
    sandbox: [],
  },
  'sameorigin',
);

export function receiptPreviewRoutes(): Router {
  const router = Router();
  router.get('/mails/receipt-preview', previewHeaders, notStored, async ({ context, query: { token } }, response) => {
    const content = typeof token === 'string' && (await openPreview(context, token));
    if (!content) throw notFound();
    response.type('html').send(content.html);
  });
  return router;
}
