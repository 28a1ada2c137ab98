/** A user with two-step sign-in signs in, and again after the session has ended. */
import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { signInToDashboard } from '../support/dashboard/dashboard.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { codeOf } from '../support/users/two-step.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial(
  'after the password the page asks for a code: of the app, a recovery code, and again after the session has ended',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
    const { secret, recoveryCodes } = await server().arrange('turnTwoStepOn', { email });
    const [first = '', second = ''] = recoveryCodes;
    const page = await openPage(t);
    const enter = async (code: string) => {
      await page.getByLabel('Code').fill(code);
      await page.getByRole('button', { name: 'Continue' }).click();
    };

    await signInToDashboard(page, server(), { email, password, path: '/test/payments' });
    await enter('000000');
    await page.getByText('That code is wrong, or was used before.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await enter(codeOf(secret));
    await waitForHeading(page, 'Payments');

    await endSessionOf(email);
    await page.getByLabel('Email').fill('grace@example.com');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.getByLabel('Code').fill(first);
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No payment matches' }).waitFor();
    t.is(await page.getByLabel('Email').inputValue(), 'grace@example.com');

    await page.context().clearCookies();
    await signInToDashboard(page, server(), { email, password });
    await enter(first);
    await page.getByText('That code is wrong, or was used before.').waitFor();
    await enter(second);
    await waitForHeading(page, 'Home');
  },
);

/** Ends the session of this user, as if it had been idle for too long. */
async function endSessionOf(email: string): Promise<void> {
  await server().database.query(
    'delete from dashboard_session using dashboard_user where dashboard_user.id = user_id and email = $1',
    [email],
  );
}
