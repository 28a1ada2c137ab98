import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sign } from '@tillhook/sdk/webhooks';
import type { Transcript } from './transcript.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = {
  event: 'checkout.success',
  data: { reference: 'order-1042', amount: 500_000, currency: 'NGN', status: 'completed' },
  timestamp: '2026-11-25T10:00:00.000Z',
  webhookId: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
};
const body = JSON.stringify(event);

/** Bodies that programs or editors have changed, by file name. */
const changedBodies: Readonly<Record<string, string>> = {
  'with-crlf.json': `${body}\r\n`,
  'with-bom.json': `\ufeff${body}`,
  'written-again.json': JSON.stringify(event, null, 2),
};

export async function verifyCaptures(hour: Transcript): Promise<void> {
  hour.chapter('Captured webhooks, and why they do not verify');
  hour.say('In the folder captured: headers and bodies of one webhook, as they came and as they were changed.');
  const save = (name: string, text: string) => writeFileSync(join(hour.folder, name), text);
  const now = Math.floor(Date.now() / 1000);
  save('body.json', body);
  save('headers.txt', await signedAt(now));
  save('old-headers.txt', await signedAt(now - 366 * 86_400));
  for (const [name, text] of Object.entries(changedBodies)) save(name, text);
  hour.set('SECRET', secret);
  hour.set('OTHER', 'whsec_plJ3nmyCDGBKInavdOK15jsl4tdJnZcl');

  await hour.run(verify({}));
  for (const name of Object.keys(changedBodies)) await hour.run(verify({ body: name }));
  await hour.run(verify({ used: '$OTHER' }));
  await hour.run(verify({ headers: 'old-headers.txt' }));
}

const verify = ({ used = '$SECRET', headers = 'headers.txt', body: file = 'body.json' }) =>
  `npm run verify:webhook -- --secret "${used}" --headers captured/${headers} --body captured/${file}`;

async function signedAt(timestamp: number): Promise<string> {
  const headers = await sign(body, secret, { id: '019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60', timestamp });
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
