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
  if (error instanceof PasskeyError) return { title: 'No passkey was found', text: error.message };
  if (!known) return { title: 'This page failed', text: `This is a bug in the dashboard: ${error.message}` };
  if (known.status === null) return withoutAnswer(known);
  if (known.code === null && known.status !== 429) {
    return {
      title: 'The service is unavailable',
      text: `A server in front of the service returned ${known.status}. The service may be restarting.`,
    };
  }
  if (known.code === 'role_not_allowed') {
    return {
      title: 'Your role does not allow this',
      text: `${known.message}. An administrator of your merchant can give you another role.`,
    };
  }
  if (known.code === 'two_step_setup_required') {
    return {
      title: 'Two-step sign-in is required',
      text: 'Your merchant requires it. Turn it on or add a passkey in your account, then come back.',
    };
  }
  if (known.code === 'processor_not_configured') {
    return {
      title: 'No payment processor is set up',
      text: `${known.message}. Nothing was changed. The operator of this service must set up a processor first. Test mode works without one.`,
    };
  }
  if (known.code === 'payment_in_progress') {
    return {
      title: 'This payment is being processed',
      text: 'The customer has submitted a card, and money may already be moving, so nothing was cancelled. Wait until the page shows the result.',
    };
  }
  if (known.status === 404) {
    return { title: 'Not found', text: 'It does not exist in this mode, or you have no access to it.' };
  }
  if (known.status === 429) {
    const wait = timeInWords(waitSeconds ?? 1);
    return { title: 'Too many requests', text: `Wait ${wait} and try again.` };
  }
  if (known.status >= 500) {
    return {
      title: 'Something went wrong',
      text: `The service reported an error: ${known.message}. You did nothing wrong.`,
    };
  }
  return { title: 'The request was refused', text: namedProblem(known.message, known.param) };
}

/** From two minutes on, the time is rounded up to minutes: "57 minutes". */
function timeInWords(seconds: number): string {
  const [amount, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

function withoutAnswer({ cause }: TillhookError) {
  if (!navigator.onLine) {
    return {
      title: 'You are offline',
      text: 'Your device has no internet connection. The page continues once it is back.',
    };
  }
  if ((cause as Error | undefined)?.name === 'TimeoutError') {
    return { title: 'The service took too long', text: 'There was no response within 20 seconds.' };
  }
  return {
    title: 'The service is unavailable',
    text: 'There was no response. The service may be restarting, or your connection is down.',
  };
}
