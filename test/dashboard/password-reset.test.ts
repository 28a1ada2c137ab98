import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { signInToDashboard } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { linkIn, startMailServer } from '../support/mail/mail-server.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { addResetLink } from '../support/users/password-reset.ts';
import { createMerchantWithUser } from '../support/users/users.ts';

const mails = await startMailServer();
test.after.always(() => mails[Symbol.asyncDispose]());
const server = serverForFile({ MAIL_URL: mails.url, MAIL_FROM: 'Tillhook <tillhook@example.com>' });
const withoutMails = serverForFile({ ROLE: 'api' });
const limited = serverForFile({
  MAIL_URL: mails.url,
  MAIL_FROM: 'Tillhook <tillhook@example.com>',
  RATE_LIMITS: 'reset_email:1/3000',
});
const openPage = browserForFile();

const newPassword = 'a sentence that I keep in mind';

test.serial('a user who forgot the password gets a link by mail, sets a new password and signs in', async (t) => {
  const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openPage(t);
  await page.goto(`${server().url}/dashboard/sign-in`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The page before it has a field with this name too.
  await waitForHeading(page, 'Forgot your password?');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await waitForHeading(page, 'Check your inbox');
  const mail = await eventually(
    () => mails.received.find(({ recipient }) => recipient.toLowerCase() === email.toLowerCase()),
    (found) => found !== undefined,
  );

  await page.goto(linkIn(mail?.source ?? '').href);
  await page.getByRole('textbox', { name: 'New password' }).fill('too short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('9 of at least 12 characters.').waitFor();
  await page.getByRole('textbox', { name: 'New password' }).fill(newPassword);
  await page.getByRole('button', { name: 'Set password' }).click();
  await waitForHeading(page, 'Password set');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await waitForHeading(page, 'Sign in to Tillhook');

  await signInToDashboard(page, server(), { email, password: newPassword });
  await waitForHeading(page, 'Home');
  t.is(page.url(), `${server().url}/dashboard/test`);
});

test.serial(
  'the token leaves the address bar and the history at once, and no request has it in its Referer',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
    const token = await addResetLink(server(), email);
    const page = await openPage(t);
    const withToken: string[] = [];
    page.on('request', (request) => {
      const { referer = '' } = request.headers();
      if (request.url().includes(token) || referer.includes(token))
        withToken.push(`${request.resourceType()} ${referer}`);
    });

    const response = await page.goto(`${server().url}/dashboard/reset-password?token=${token}`);
    await page.getByRole('textbox', { name: 'New password' }).waitFor();

    t.is(page.url(), `${server().url}/dashboard/reset-password`);
    t.is(response?.headers()['referrer-policy'], 'no-referrer');
    await page.getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await waitForHeading(page, 'This link does not work');
    t.false(page.url().includes(token));
    t.deepEqual(withToken, ['document ']);
  },
);

test.serial('a link that was used, and a link without its token, lead to the page that sends a new link', async (t) => {
  const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const old = await addResetLink(server(), email, { ageMinutes: 31 });
  const page = await openPage(t);
  const open = (query: string) => page.goto(`${server().url}/dashboard/reset-password${query}`);

  await open(`?token=${old}`);
  await page.getByRole('textbox', { name: 'New password' }).fill(newPassword);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('This link was already used or has expired.').waitFor();
  t.deepEqual(await barriersOn(page), []);

  await open('');
  await page.getByText('The link is incomplete').waitFor();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await waitForHeading(page, 'Forgot your password?');
});

test.serial(
  'after too many requests, the page says how long to wait, and that an earlier link still works',
  async (t) => {
    const { email } = await createMerchantWithUser(limited(), 'Ada’s Books');
    const page = await openPage(t);
    const send = async () => {
      await page.goto(`${limited().url}/dashboard/forgot-password`);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Send link' }).click();
    };

    await send();
    await waitForHeading(page, 'Check your inbox');
    await send();

    await page.getByText('and try again').waitFor();
    await page.getByText('a link that was sent before works for 30 minutes').waitFor();
    t.deepEqual(await barriersOn(page), []);
  },
);

test.serial('a long address does not make the page wider than the window of a phone', async (t) => {
  const page = await openPage(t);
  await page.setViewportSize({ width: 360, height: 700 });
  await page.goto(`${server().url}/dashboard/forgot-password`);
  await page.getByLabel('Email').fill(`${'long'.repeat(15)}@${'subdomain-of-a-company.'.repeat(5)}example.com`);
  await page.getByRole('button', { name: 'Send link' }).click();

  await waitForHeading(page, 'Check your inbox');

  t.is(await page.evaluate<number>('document.documentElement.scrollWidth'), 360);
});

test.serial(
  'without a mail server, the page says that the operator sets the password, and with which command',
  async (t) => {
    const page = await openPage(t);

    await page.goto(`${withoutMails().url}/dashboard/forgot-password`);

    await page.getByText('npx tillhook users reset-password --email').waitFor();
    await page.getByText('cannot set your password, but can remove you from the team and invite you').waitFor();
    t.is(await page.getByLabel('Email').count(), 0);
    t.deepEqual(await barriersOn(page), []);
  },
);
