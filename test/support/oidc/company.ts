/** A service with company sign-in for `example.com`, and the people of the company. */
import test, { type ExecutionContext } from 'ava';
import { testSealer } from '../database/sealer.ts';
import { serverForFile } from '../server/tillhook.ts';
import { client, type TestIssuer } from './issuer.ts';
import { listedMerchantForFile, listedMerchantId } from './listed-merchant.ts';

export function companyForFile(issuer: TestIssuer) {
  const settings = {
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_DOMAINS: `example.com=${listedMerchantId}`,
    SEED_DEMO: 'true',
  };
  const server = serverForFile(settings);
  let people = 0;
  listedMerchantForFile(server);
  test.beforeEach(() => issuer.serve(server().url));

  test.afterEach.always(() => {
    issuer.answers = {};
  });

  function newName(): string {
    people += 1;
    return `kim-${people}`;
  }

  function colleague(person: Record<string, unknown> = {}): string {
    const who = newName();
    issuer.people.set(who, { email: `${who}@example.com`, email_verified: true, ...person });
    return who;
  }

  /** Runs the call, and counts users, identities and sessions before and after it. */
  async function grantsNothing(
    t: ExecutionContext,
    problem: string | null,
    call: () => Promise<string>,
    { also = '', database = server().database } = {},
  ): Promise<void> {
    const count = `select (select count(*) from dashboard_user) as users, (select count(*) from oidc_identity) as identities,
      (select count(*) from dashboard_session) as sessions`;
    const before = await database.query(count);
    const location = await call();
    if (problem !== null) t.regex(location, new RegExp(`^/dashboard/sign-in\\?.*\\bproblem=${problem}\\b`));
    t.true(location.includes(also), location);
    t.deepEqual(await database.query(count), before);
  }

  function usersWith(email: string) {
    const query = 'select role, merchant_id, password_hash from dashboard_user where email = $1';
    return server().database.query(query, [email]);
  }

  async function actsOf(email: string) {
    const query = 'select action from audit_entry where user_email = $1 order by id';
    return (await server().database.query(query, [email])).map(({ action }) => action);
  }

  /** The values of the mails that report a first company sign-in. */
  async function boundMails(email: string): Promise<string[]> {
    const query = "select id, sealed_values from mail where recipient = $1 and kind = 'company_account_bound'";
    const mails = await server().database.query(query, [email]);
    return mails.map(({ id, sealed_values: sealed }) => testSealer().open(String(sealed), String(id)));
  }

  return { settings, server, newName, colleague, grantsNothing, usersWith, actsOf, boundMails };
}
