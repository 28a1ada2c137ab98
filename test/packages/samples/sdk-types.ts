/** What a program in TypeScript does with the SDK. It is compiled as a module and as CommonJS, and never run. */
import { NotFoundError, type Payment, Tillhook, type TillhookOptions, type WebhookEvent } from '@tillhook/sdk';
import { sign, unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';

const options: TillhookOptions = { baseUrl: 'https://pay.example.com' };
const tillhook = new Tillhook('sk_test_1', options);

export async function findPayment(reference: string): Promise<Payment | null> {
  try {
    return await tillhook.payments.get(reference);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

export async function paidReference(request: Request, secret: string): Promise<string | null> {
  const event = await unwrap(request, [secret]);
  return event.event === 'checkout.success' ? event.data.reference : null;
}

export async function failureOf(event: WebhookEvent, secret: string): Promise<string | null> {
  const body = JSON.stringify(event);
  try {
    await unwrap(body, await sign(body, secret), secret, { toleranceSeconds: 60 });
    return null;
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.code : null;
  }
}

export async function refuseWhatTheContractRefuses(): Promise<void> {
  // @ts-expect-error An amount is a number: were the types lost, anything would be one.
  await tillhook.checkout.create({ email: 'ada@example.com', amount: '5' });
}
