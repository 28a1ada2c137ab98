/** This list of pages is read from the dashboard's routes, so that tests visit each new page. */
import { readFileSync } from 'node:fs';
import { recipient, waitForTransfer } from '../money/transfers.ts';
import { insertDeliveries, unreachableUrl } from '../receivers/deliveries.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** The routes are not imported, because they import pages that run only in a browser. */
const routes = readFileSync(new URL('../../../server/dashboard/src/app/routes.ts', import.meta.url), 'utf8');

/** Paths without the mode at the beginning, such as `payments/$reference`. The path of Home is empty. */
export const dashboardPages: readonly string[] = [...routes.matchAll(/\.\.\.below\('([^']*)'\)/g)].map(([, path]) =>
  String(path).replace(/^\/$/, ''),
);

export type RecordsOfPages = Readonly<Record<string, string>>;

export function addressOf(page: string, records: RecordsOfPages, mode = 'test'): string {
  return `/${mode}/${page.replace(/\$\w+/, () => {
    const record = records[page];
    if (record === undefined)
      throw new Error(`There is no record for the page ${page}: add one to dashboard-pages.ts.`);
    return record;
  })}`;
}

export interface Texts {
  reference: string;
  description: string;
  email: string;
  metadata: Record<string, string>;
  recipientName: string;
  productName: string;
}

const usual: Texts = {
  reference: 'order-1042',
  description: 'Two tickets',
  email: 'grace@example.com',
  metadata: { shelf: 'B7' },
  recipientName: recipient().name,
  productName: 'Tin mug',
};

export async function fillPages(server: TestServer, merchant: TestMerchant, texts = usual): Promise<RecordsOfPages> {
  const { client } = merchant;
  const { reference, description, email, metadata, productName: name, recipientName } = texts;
  const endpoint = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.checkout.create({ email, amount: 500_000, reference, description, metadata });
  await client.testHelpers.completePayment(reference);
  await client.refunds.create(reference, { amount: 200_000, reference, reason: description });
  await client.testHelpers.fundWallet({ amount: 10_000 });
  const to = { ...recipient(), name: recipientName };
  await client.transfers.create({
    reference,
    amount: 500,
    narration: description.slice(0, 100),
    metadata,
    recipient: to,
  });
  await waitForTransfer('completed', merchant, reference);
  await client.products.create({ name, description, price: 450_000, metadata });
  const link = await client.paymentLinks.create({ name, description, amount: 450_000, metadata });
  const [delivery = ''] = await insertDeliveries(server, merchant, { webhookId: endpoint.id, reference });
  const { eventId } = await client.deliveries.get(delivery);
  const { customers } = await client.customers.list({ email });
  return {
    'payments/$reference': reference,
    'refunds/$reference': reference,
    'customers/$id': customers[0]?.id ?? '',
    'transfers/$reference': reference,
    'payment-links/$id': link.id,
    'webhooks/$id': endpoint.id,
    'deliveries/$id': delivery,
    'events/$id': eventId,
  };
}
