/**
 * Sends the first requests of the page before the script that renders the page is loaded. Each response is used once.
 * When such a request fails, the page sends it again and shows the failure.
 */
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
  /** Called when no user is signed in. It loads the script of the sign-in page. */
  loadSignIn: () => void;
  /** Called on Home once the script `start` has loaded. It loads the script of Home. */
  loadHome: () => void;
}

export function requestAhead({ loadSignIn, loadHome }: Loading): void {
  const [mode = '', ...below] = location.pathname.slice(`${basePath}/dashboard/`.length).split('/');
  if (mode === 'sign-in') {
    loadSignIn();
    return;
  }
  session = readSession();
  session.catch((error: unknown) => {
    if (isEndedSession(error)) loadSignIn();
  });
  if (!isMode(mode) || below.join('') !== '') return;
  // The scripts of Home and of its first part are requested only once `start` has loaded, because they would compete
  // with `start` for bandwidth.
  const started = new Promise((resolve) => document.getElementById('start-script')?.addEventListener('load', resolve));
  void started.then(loadHome);
  if (location.search !== '') return;
  const answer = session.then(async () => overviewRead(usualDays).read(tillhookIn(mode), {}));
  answer.catch(() => undefined);
  overview = { mode, answer };
  void started.then(() => answer.then(loadScriptsOf, () => undefined));
}

/** Returns the session if `requestAhead` has requested it. Only the first caller gets it. */
export function takeSession(): Promise<Session> | undefined {
  const taken = session;
  session = undefined;
  return taken;
}

/** Returns the figures of Home if `requestAhead` has requested them. */
export function takeOverview(): RequestedOverview | undefined {
  const taken = overview;
  overview = undefined;
  return taken;
}
