import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { paymentLinkView } from './payment-link.view.ts';
import * as links from './payment-links.service.ts';

export const createPaymentLink: Operation<'createPaymentLink'> = write(
  async (context, { body }) => paymentLinkView(await links.createPaymentLink(context, body), context),
  { audited: ({ slug }) => ({ subject: slug }) },
);

export const listPaymentLinks: Operation<'listPaymentLinks'> = read(async (context, { query }) => {
  const { records, total } = await links.listPaymentLinks(context, query, pageOf(query));
  return { paymentLinks: records.map((link) => paymentLinkView(link, context)), total };
});

export const getPaymentLink: Operation<'getPaymentLink'> = read(async (context, { path }) =>
  paymentLinkView(await links.getPaymentLink(context, path.id), context),
);

export const updatePaymentLink: Operation<'updatePaymentLink'> = write(
  async (context, { path, body }) => paymentLinkView(await links.updatePaymentLink(context, path.id, body), context),
  { audited: ({ slug }) => ({ subject: slug }) },
);
