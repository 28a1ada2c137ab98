import { basePath } from './base.ts';

/** What the service offers to a user who wants to sign in. The server writes it into the page. */
export interface SignInWays {
  password: boolean;
  passkey: boolean;
  /** The company's own sign-in, by OpenID Connect. */
  company: { name: string } | null;
  /** Whether a user can get a link for a new password by mail. */
  resetByMail: boolean;
  /** Whether this demo shows its mails at `/mails` and sends none. */
  mailbox: boolean;
}

/** The development server of the dashboard writes nothing into the page. */
const usual: SignInWays = { password: true, passkey: false, company: null, resetByMail: true, mailbox: false };

const written = document.querySelector<HTMLMetaElement>('meta[name="tillhook-sign-in"]')?.content;

export const signInWays: SignInWays = { ...usual, ...(written && JSON.parse(written)) };

/** The URL that begins a company sign-in, which then leads to `from`, a URL of this dashboard. */
export function companyStart(from: string | undefined): string {
  return `${basePath}/dashboard/oidc/start${from === undefined ? '' : `?from=${encodeURIComponent(from)}`}`;
}
