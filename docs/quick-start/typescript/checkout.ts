// Creates a checkout and prints its URL. Needs @tillhook/sdk, and Node 22.18 or newer, which runs TypeScript.
import { Tillhook } from '@tillhook/sdk';

const apiKey = process.env.TILLHOOK_API_KEY ?? '';
const baseUrl = process.env.TILLHOOK_BASE_URL ?? 'http://localhost:3000';
const tillhook = new Tillhook(apiKey, { baseUrl });

// The amount is in the minor unit of your currency. After a lost response, the SDK repeats the call with the same
// Idempotency-Key, which creates no second checkout.
const { data } = await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
console.log(data.checkoutUrl);
