/** A program for an edge runtime, in whose types `Headers` has no iterator. */
import { Tillhook, TimeoutError } from '@tillhook/sdk';
import { unwrap, verify } from '@tillhook/sdk/webhooks';

export async function receive(request: Request, secret: string): Promise<string> {
  await verify(await request.clone().text(), request.headers, secret);
  return (await unwrap(await request.arrayBuffer(), request.headers, secret)).event;
}

export async function statusOf(apiKey: string): Promise<number> {
  const tillhook = new Tillhook(apiKey, { baseUrl: 'https://pay.example.com' });
  try {
    const response: Response = await tillhook.payments.get('order-1042').asResponse();
    return response.status;
  } catch (error) {
    return error instanceof TimeoutError ? error.attempts : 0;
  }
}
