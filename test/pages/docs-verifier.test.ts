import { readContract } from '@tillhook/openapi';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const checkoutSuccess = readContract().model.webhooks.find(({ name }) => name === 'checkout.success');
const body = JSON.stringify(checkoutSuccess?.body.examples.get('basic')?.value);

test.serial('the first sample verifies, and with a changed byte it does not', async (t) => {
  const { page, verdict } = await openVerifier(t);

  await page.getByRole('button', { name: 'Verify' }).click();
  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  await page.getByRole('button', { name: 'Change one byte' }).click();
  await verdict.getByRole('heading', { name: 'wrong_signature' }).waitFor();

  t.regex(await verdict.innerText(), /byte for byte/);
});

test.serial('a pasted delivery verifies, and nothing of it is sent to a server', async (t) => {
  const { page, verdict } = await openVerifier(t);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));

  await paste(page, { headers: await sign(body, secret), secret });

  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  t.deepEqual(asked, []);
});

test.serial('a header without a value does not hide the following headers', async (t) => {
  const { page, verdict } = await openVerifier(t);
  const { 'webhook-id': id, ...others } = await sign(body, secret);

  await paste(page, { headers: { 'x-empty': '', 'webhook-id': id, ...others }, secret });

  const verified = verdict.getByRole('heading', { name: 'Verified: checkout.success' });
  await t.notThrowsAsync(verified.waitFor());
});

test.serial('both secrets of a rotation are tried', async (t) => {
  const { page, verdict } = await openVerifier(t);

  await paste(page, { headers: await sign(body, secret), secret: `whsec_AAAA ${secret}` });

  await t.notThrowsAsync(verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor());
});

test.serial('X-Service-Signature alone is refused, unless the reader says that there is no other', async (t) => {
  const { page, verdict } = await openVerifier(t);
  const { 'X-Service-Signature': fixed } = await sign(body, secret);

  await paste(page, { headers: { 'x-service-signature': fixed }, secret });
  await verdict.getByRole('heading', { name: 'missing_headers' }).waitFor();
  t.regex(await verdict.innerText(), /with webhook-id, webhook-timestamp and webhook-signature/);
  await page.getByLabel('accept X-Service-Signature alone').check();
  await page.getByRole('button', { name: 'Verify' }).click();

  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  t.regex(await verdict.innerText(), /covers no time/);
});

test.serial('failures are explained: missing headers, another time, a masked secret', async (t) => {
  const { page, verdict } = await openVerifier(t);
  const old = await sign(body, secret, { timestamp: 1_700_000_000 });

  await paste(page, { headers: {}, secret });
  await verdict.getByRole('heading', { name: 'missing_headers' }).waitFor();
  await paste(page, { headers: old, secret });
  await verdict.getByRole('heading', { name: 'timestamp_out_of_tolerance' }).waitFor();
  await page.getByLabel('Signed at most').fill('315360000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  await paste(page, { headers: old, secret: 'whsec_••••••••LaSw' });
  await verdict.getByRole('heading', { name: 'This cannot be verified' }).waitFor();

  t.regex(await verdict.innerText(), /masked/);
  t.deepEqual(await barriersOn(page), []);
});

test.serial('without JavaScript the page says that it needs it, and which command to run instead', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs/verifier`);

  t.true(await page.getByText('npm run receiver').isVisible());
  t.false(await page.getByRole('button', { name: 'Verify' }).isVisible());
});

async function openVerifier(t: ExecutionContext) {
  const page = await openPage(t);
  await page.goto(`${server().url}/docs/verifier`);
  await page.getByRole('button', { name: 'Verify' }).waitFor();
  return { page, verdict: page.locator('#verdict') };
}

interface Pasted {
  headers: Record<string, string>;
  secret: string;
}

async function paste(page: Page, pasted: Pasted): Promise<void> {
  const lines = Object.entries(pasted.headers).map(([name, value]) => `${name}: ${value}`);
  await page.getByLabel('Raw body').fill(body);
  await page.getByLabel('Headers').fill(lines.join('\n'));
  await page.getByLabel('Signing secret').fill(pasted.secret);
  await page.getByRole('button', { name: 'Verify' }).click();
}
