import test from 'ava';
import { makeImage } from '../support/images/images.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();
const path = '/api/v1/dashboard/settings/logo';

test('200 removes the logo, and its address and the page of a checkout no longer have it', async (t) => {
  const ada = await signIn(server());
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 1 });
  const image = (await makeImage('png', 31, 17)).toString('base64');
  const { logoUrl } = await (await ada.call(path, { method: 'POST', json: { image } })).json();
  t.true((await (await fetch(data.checkoutUrl)).text()).includes('class="logo"'));

  const response = await ada.call(path, { method: 'DELETE' });

  t.is(response.status, 200);
  t.is((await response.json()).logoUrl, null);
  t.false((await (await fetch(data.checkoutUrl)).text()).includes('class="logo"'));
  t.is((await fetch(logoUrl)).status, 404);
  const { auditEntries } = await (await ada.call('/api/v1/dashboard/audit-entries?action=removeLogo')).json();
  t.is(auditEntries.length, 1);
});

test('200 without a logo changes nothing', async (t) => {
  const response = await (await signIn(server())).call(path, { method: 'DELETE' });

  t.is(response.status, 200);
  t.is((await response.json()).logoUrl, null);
});
