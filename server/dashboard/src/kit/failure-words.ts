import { TillhookError } from '@tillhook/sdk/session';
import { PasskeyError } from '../app/browser-passkeys.ts';
import { OutdatedPageError } from '../app/load-script.tsx';
import { locale } from './locale.ts';
import { namedProblem } from './problem-words.ts';

export interface FailureWords {
  title: string;
  text: string;
  requestId: string | null;
  docUrl: string | null;
  waitSeconds: number | null;
}

/**
 * Explains a failure in words that users understand.
 * See docs/decisions/dashboard.md, "An answer without an error code comes from something in between".
 */
export function failureWords(error: Error): FailureWords {
  const known = error instanceof TillhookError ? error : null;
  const { requestId = null, docUrl = null, retryAfterMs = null } = known ?? {};
  const waitSeconds = known?.status === 429 ? Math.max(1, Math.ceil((retryAfterMs ?? 1_000) / 1_000)) : null;
  return { ...titleAndText(error, known, waitSeconds), requestId, docUrl, waitSeconds };
}

function titleAndText(error: Error, known: TillhookError | null, waitSeconds: number | null) {
  if (error instanceof OutdatedPageError) {
    return { title: 'This page is out of date', text: 'The dashboard has a newer version. Try again to load it.' };
  }
  if (error instanceof PasskeyError) return { title: 'There is no passkey', text: error.message };
  if (!known) return { title: 'This page failed', text: `It is a mistake of the page itself: ${error.message}` };
  if (known.status === null) return withoutAnswer(known);
  if (known.code === null && known.status !== 429) {
    return {
      title: 'The service cannot be reached',
      text: `Something between this page and the service answered ${known.status} in its place. It may be starting again.`,
    };
  }
  if (known.code === 'role_not_allowed') {
    return {
      title: 'Your role may not do this',
      text: `${known.message}. An administrator of your merchant can give you another role.`,
    };
  }
  if (known.code === 'two_step_setup_required') {
    return {
      title: 'Two-step sign-in is needed',
      text: 'Your merchant asks for it. Turn it on in your account or add a passkey there, then come back.',
    };
  }
  if (known.code === 'processor_not_configured') {
    return {
      title: 'This service has no processor for that yet',
      text: `${known.message}. Nothing was changed, and to try again does not help: the operator of this service must set one up. Test mode works without one.`,
    };
  }
  if (known.code === 'payment_in_progress') {
    return {
      title: 'This payment is being decided',
      text: 'The customer has sent a card, and money may already be moving, so nothing was cancelled. Wait until the page shows the decision.',
    };
  }
  if (known.status === 404) {
    return { title: 'Not found', text: 'It does not exist in this mode, or you have no access to it.' };
  }
  if (known.status === 429) {
    const wait = timeInWords(waitSeconds ?? 1);
    return { title: 'Too many requests', text: `The service asks to wait for ${wait} before the next one.` };
  }
  if (known.status >= 500) {
    return { title: 'The service failed', text: `It said: ${known.message}. Nothing is wrong with what you did.` };
  }
  return { title: 'The service refused this', text: namedProblem(known.message, known.param) };
}

/** From two minutes on, the time is rounded up to minutes: "57 minutes". */
function timeInWords(seconds: number): string {
  const [amount, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

function withoutAnswer({ cause }: TillhookError) {
  if (!navigator.onLine) {
    return { title: 'You are offline', text: 'This device has no connection. The page goes on once it has one.' };
  }
  if ((cause as Error | undefined)?.name === 'TimeoutError') {
    return { title: 'The service took too long', text: 'There was no answer within 20 seconds.' };
  }
  return {
    title: 'The service cannot be reached',
    text: 'No answer came. It may be starting again, or the connection is broken.',
  };
}
