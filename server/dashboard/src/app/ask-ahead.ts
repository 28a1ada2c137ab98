/**
 * Asks for what the page of this address will ask for first, while the script that draws it is on its way. Each answer is taken
 * once; what fails here is asked again by the page, which says so.
 */
import type { Mode, Overview, Session } from '@tillhook/sdk/session';
import { overviewRead, usualDays } from '../home/overview-read.ts';
import { tillhookIn } from './api.ts';
import { askWho, isEndedSession } from './ask-who.ts';
import { basePath } from './base.ts';
import { isMode } from './remembered-mode.ts';

interface AskedOverview {
  mode: Mode;
  answer: Promise<Overview>;
}

let session: Promise<Session> | undefined;
let overview: AskedOverview | undefined;

/** Calls `onSignedOut` when the sign-in page will be shown. */
export function askAhead(onSignedOut: () => void): void {
  const [mode = '', ...below] = location.pathname.slice(`${basePath}/dashboard/`.length).split('/');
  if (mode === 'sign-in') {
    onSignedOut();
    return;
  }
  session = askWho();
  session.catch((error: unknown) => {
    if (isEndedSession(error)) onSignedOut();
  });
  const isHome = isMode(mode) && below.join('') === '' && location.search === '';
  if (!isHome) return;
  const answer = session.then(async () => overviewRead(usualDays).read(tillhookIn(mode), {}));
  answer.catch(() => undefined);
  overview = { mode, answer };
}

/** Who is signed in, where that was asked and nobody has taken the answer. */
export function takeSession(): Promise<Session> | undefined {
  const taken = session;
  session = undefined;
  return taken;
}

/** The figures of Home, where it is Home that is opened. */
export function takeOverview(): AskedOverview | undefined {
  const taken = overview;
  overview = undefined;
  return taken;
}
