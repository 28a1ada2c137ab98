import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { client, startIssuer } from '../support/oidc/issuer.ts';
import { addUserWithAddress, listedMerchantForFile, listedMerchantId } from '../support/oidc/listed-merchant.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { addResetLink } from '../support/users/password-reset.ts';
import { errorIn, postSession } from '../support/users/session.ts';
import { invite } from '../support/users/team.ts';
import { codeOf } from '../support/users/two-step.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const issuer = await startIssuer();
const server = serverForFile({
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_DOMAINS: `example.com=${listedMerchantId}`,
  OIDC_NAME: 'Example Company',
  PASSWORD_SIGN_IN: 'false',
});
const openPage = browserForFile();

listedMerchantForFile(server);

test.serial('a user signs in at the company, types a code, and signs out there as well', async (t) => {
  issuer.serve(server().url);
  const email = await addUserWithAddress(server(), 'ada@example.com');
  const { secret } = await server().arrange('turnTwoStepOn', { email });
  issuer.people.set('ada', { email, email_verified: true });
  const page = await openPage(t, { mayCall: issuer.url });

  await page.goto(`${server().url}/dashboard/test/payments?status=failed`);
  await waitForHeading(page, 'Sign in to Tillhook');
  t.is(await page.getByLabel('Password').count(), 0);
  t.deepEqual(await barriersOn(page), []);
  await signInAtIssuer(page, 'ada');

  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code is wrong or was already used.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.getByLabel('Code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await waitForHeading(page, 'Payments');
  t.is(page.url(), `${server().url}/dashboard/test/payments?status=failed`);

  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await waitForHeading(page, 'Sign in to Tillhook');
  await page.goto(`${server().url}/dashboard/test`);
  await waitForHeading(page, 'Sign in to Tillhook');
});

test.serial(
  'requestPasswordReset and resetPassword 403 where passwords are switched off, and the page says so',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
    const token = await addResetLink(server(), email);
    const post = (path: string, json: object) =>
      server().request(`/api/v1/dashboard/password-reset${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      });

    t.deepEqual(await errorIn(await post('/request', { email })), [403, 'password_sign_in_off']);
    t.deepEqual(await errorIn(await post('', { token, password })), [403, 'password_sign_in_off']);
    const page = await openPage(t);
    await page.goto(`${server().url}/dashboard/forgot-password`);
    await waitForHeading(page, 'No password needed');
  },
);

test.serial('when a session ends, the user signs in again in a new tab, and the page goes on', async (t) => {
  issuer.serve(server().url);
  issuer.people.set('kim', { email: await addUserWithAddress(server(), 'kim@example.com'), email_verified: true });
  const page = await openPage(t, { mayCall: issuer.url });
  await page.goto(`${server().url}/dashboard/test/payments`);
  await signInAtIssuer(page, 'kim');
  await waitForHeading(page, 'Payments');
  await server().database.query('delete from dashboard_session');

  await page.getByRole('link', { name: 'Transfers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const link = dialog.getByRole('link', { name: 'Continue with Example Company in a new tab' });
  t.deepEqual(await barriersOn(page), []);
  const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await waitForHeading(tab, 'Home');
  await tab.close();
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'No transfers yet' }).waitFor();
});

test.serial(
  'a user without a password turns two-step sign-in on, after a new sign-in if the last is long ago',
  async (t) => {
    issuer.serve(server().url);
    const email = await addUserWithAddress(server(), 'lee@example.com');
    issuer.people.set('lee', { email, email_verified: true });
    const page = await openPage(t, { mayCall: issuer.url });
    await page.goto(`${server().url}/dashboard/test/account`);
    await signInAtIssuer(page, 'lee');
    await waitForHeading(page, 'Your account');
    await server().database.query("update dashboard_session set created_at = created_at - interval '11 minutes'");
    const begin = async () => {
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    };

    await begin();
    const again = page.getByRole('dialog').getByRole('link', { name: 'Sign in again' });
    await again.waitFor();
    t.deepEqual(await barriersOn(page), []);
    await Promise.all([page.waitForEvent('load'), again.click()]);
    await waitForHeading(page, 'Your account');
    await begin();

    await page.getByRole('dialog').getByLabel('Six-digit code from the app').waitFor();
    t.is(await page.getByRole('heading', { name: 'Password' }).count(), 0, 'a password could not be used');
  },
);

test.serial('a signed-in user connects the company account on the account page, and keeps the password', async (t) => {
  issuer.serve(server().url);
  const email = await addUserWithAddress(server(), 'joy@example.com');
  issuer.people.set('joy', { email, email_verified: true });
  const page = await openPage(t, { mayCall: issuer.url });
  const { token } = await server().arrange('openSession', { email });
  await page.context().addCookies([{ name: 'tillhook_session', value: token, url: server().url }]);
  await page.goto(`${server().url}/dashboard/test/account`);
  await page.getByRole('heading', { name: 'Company account' }).waitFor();
  t.deepEqual(await barriersOn(page), []);

  await signInAtIssuer(page, 'joy');

  await waitForHeading(page, 'Your account');
  const bound = `select password_hash is not null as is_kept from dashboard_user u
    join oidc_identity on user_id = u.id where email = $1`;
  t.deepEqual(await server().database.query(bound, [email]), [{ is_kept: true }]);
});

test.serial('an invited person accepts with the company account where passwords are switched off', async (t) => {
  issuer.serve(server().url);
  const merchant = await server().createMerchant('Ada’s Books');
  const { link, email } = await invite(server(), merchant, { email: 'grace@elsewhere.example', role: 'support' });
  issuer.people.set('grace', { email, email_verified: true, name: 'Grace Eze' });
  const page = await openPage(t, { mayCall: issuer.url });
  await page.goto(link);
  await waitForHeading(page, 'Join Ada’s Books');
  t.is(await page.getByLabel('Password').count(), 0);
  t.deepEqual(await barriersOn(page), []);

  await signInAtIssuer(page, 'grace');

  await waitForHeading(page, 'Home');
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByText('Checkouts, refunds and resends').waitFor();
});

test.serial('signIn 403 where passwords are switched off', async (t) => {
  const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const response = await postSession(server(), { email, password });
  t.deepEqual(await errorIn(response), [403, 'password_sign_in_off']);
});

test.serial('a person without access reads on the sign-in page what to do', async (t) => {
  issuer.serve(server().url);
  issuer.people.set('eve', { email: 'eve@elsewhere.example', email_verified: true });
  const page = await openPage(t, { mayCall: issuer.url });
  await page.goto(`${server().url}/dashboard/sign-in`);
  await signInAtIssuer(page, 'eve');

  await waitForHeading(page, 'Sign in to Tillhook');
  t.is(
    await page.getByRole('alert').textContent(),
    'Your company account has no access here. Ask an administrator for an invitation to your email address.',
  );
  t.deepEqual(await barriersOn(page), []);
});

async function signInAtIssuer(page: Page, who: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue with Example Company' }).click();
  await page.getByPlaceholder('Enter any login').fill(who);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
