/** Every page of the dashboard, as its routes name them, for tests that visit all of them. A new page joins them by itself. */
import { readFileSync } from 'node:fs';
import { recipient, waitForTransfer } from '../money/transfers.ts';
import { insertDeliveries, unreachableUrl } from '../receivers/deliveries.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** Read and not imported: the pages are written for a browser. */
const routes = readFileSync(new URL('../../../server/dashboard/src/app/routes.ts', import.meta.url), 'utf8');

/** Each without the mode before it: `payments/$reference`. The first page has none. */
export const dashboardPages: readonly string[] = [...routes.matchAll(/\.\.\.below\('([^']*)'\)/g)].map(([, path]) =>
  String(path).replace(/^\/$/, ''),
);

/** What the address of a page about one record holds, by the page. */
export type RecordsOfPages = Readonly<Record<string, string>>;

/** The address of the page below `/dashboard`. */
export function addressOf(page: string, records: RecordsOfPages, mode = 'test'): string {
  return `/${mode}/${page.replace(/\$\w+/, () => {
    const record = records[page];
    if (record === undefined)
      throw new Error(`No test knows a record for the page ${page}: add one to dashboard-pages.ts.`);
    return record;
  })}`;
}

/** The texts that a merchant and its customers choose. */
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

/** Fills every page of the merchant's test mode, and returns the record of each page about one. */
export async function fillPages(server: TestServer, merchant: TestMerchant, texts = usual): Promise<RecordsOfPages> {
  const { client } = merchant;
  const { reference, description, email, metadata, productName: name, recipientName } = texts;
  const endpoint = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.checkout.create({ email, amount: 500_000, reference, description, metadata });
  await client.testHelpers.completePayment(reference);
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
  const [delivery = ''] = await insertDeliveries(server, merchant, { webhookId: endpoint.id, reference });
  const { eventId } = await client.deliveries.get(delivery);
  return {
    'payments/$reference': reference,
    'transfers/$reference': reference,
    'webhooks/$id': endpoint.id,
    'deliveries/$id': delivery,
    'events/$id': eventId,
  };
}
