import type { ErrorCode } from '../kit/errors.ts';
import { type Html, html } from '../kit/html.ts';
import { layout } from './layout.ts';

interface SignInForm {
  base: string;
  /** Typed with a password that did not fit, or belonging to nobody: the page does not say which. */
  refusedEmail?: string;
}

export function signInPage({ base, refusedEmail }: SignInForm): Html {
  const isRefused = refusedEmail !== undefined;
  return layout({
    title: isRefused ? 'Error: sign in' : 'Sign in',
    base,
    main: html`<main class="panel sign-in">
<h1>Sign in to Tillhook</h1>
${isRefused && html`<div class="alert" role="alert" id="refusal"><p>That email and password do not fit. Try again.</p></div>`}
<form method="post" action="${base}/dashboard/sign-in">
<div class="field"><label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${refusedEmail ?? ''}"
${isRefused ? html` aria-describedby="refusal"` : ' autofocus'}></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
${isRefused && html` aria-describedby="refusal" autofocus`}></div>
<button class="button primary">Sign in</button>
</form>
</main>`,
  });
}

interface Failure {
  base: string;
  /** What happened, as operations name it; none where a page alone can fail so. */
  code: ErrorCode | null;
  status: number;
  /** What support can find the log line by. */
  requestId: string;
}

export function failurePage({ base, code, status, requestId }: Failure): Html {
  const heading = (code && headingsOfCodes[code]) ?? headings[status] ?? 'Something went wrong on our side';
  return layout({
    title: heading,
    base,
    main: html`<main class="panel sign-in">
<h1>${heading}</h1>
<p><a href="${base}/dashboard">Go to the dashboard</a></p>
<p class="request-id">If you ask for help, mention <code>${requestId}</code>.</p>
</main>`,
  });
}

const headingsOfCodes: Partial<Record<ErrorCode, string>> = {
  cross_site_request: 'This form came from another site',
  merchant_suspended: 'This merchant is suspended; ask whoever runs this service',
  two_step_required: 'This user signs in by two steps, which this page does not know yet',
  two_step_setup_required: 'The merchant requires two-step sign-in, which this page does not know yet',
  invalid_credentials: 'The password has just been changed; sign in again',
};

const headings: Record<number, string> = {
  400: 'We could not read that',
  404: 'There is no such page',
  413: 'We could not read that',
  429: 'Too many tries; wait a minute',
};
