/** Each response is used once. When a request of this script fails, the page sends the request again. */
import type { Mode, Overview, Session } from '@tillhook/sdk/session';
import { loadScriptsOf } from '../home/load-scripts.ts';
import { overviewRead, usualDays } from '../home/overview-read.ts';
import { tillhookIn } from './api.ts';
import { basePath } from './base.ts';
import { isEndedSession, readSession } from './read-session.ts';
import { isMode } from './remembered-mode.ts';

interface RequestedOverview {
  mode: Mode;
  answer: Promise<Overview>;
}

let session: Promise<Session> | undefined;
let overview: RequestedOverview | undefined;

interface Loading {
  loadSignIn: () => void;
  loadHome: () => void;
}

/** The pages that people see before they sign in. */
const withoutSession = ['sign-in', 'forgot-password', 'reset-password', 'invitation'];

export function requestAhead({ loadSignIn, loadHome }: Loading): void {
  const [mode = '', ...below] = location.pathname.slice(`${basePath}/dashboard/`.length).split('/');
  if (mode === 'sign-in') loadSignIn();
  if (withoutSession.includes(mode)) return;
  session = readSession();
  session.catch((error: unknown) => {
    if (isEndedSession(error)) loadSignIn();
  });
  if (!isMode(mode) || below.join('') !== '') return;
  // The scripts of Home would compete with `start` for bandwidth, so they are requested only once `start` has loaded.
  const started = new Promise((resolve) => document.getElementById('start-script')?.addEventListener('load', resolve));
  void started.then(loadHome);
  if (location.search !== '') return;
  const answer = session.then(async () => overviewRead(usualDays).read(tillhookIn(mode), {}));
  answer.catch(() => undefined);
  overview = { mode, answer };
  void started.then(() => answer.then(loadScriptsOf, () => undefined));
}

/** Only the first caller gets the requested session. Later callers send their own request. */
export function takeSession(): Promise<Session> | undefined {
  const taken = session;
  session = undefined;
  return taken;
}

export function takeOverview(): RequestedOverview | undefined {
  const taken = overview;
  overview = undefined;
  return taken;
}
