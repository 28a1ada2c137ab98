/** Drives Firefox through WebDriver BiDi. Each tab has a user context with separate cookies and storage. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  asJson,
  type Driver,
  fromJson,
  type RunningBrowser,
  screen,
  startProgram,
  temporaryHome,
  waitForPrinted,
} from './driver.ts';
import { requireProgram } from './installed-browsers.ts';

export async function startFirefox(): Promise<RunningBrowser> {
  await using started = new AsyncDisposableStack();
  const home = temporaryHome(started);
  writeFileSync(join(home, 'user.js'), preferencesFor(home));
  const firefox = startProgram(started, {
    path: requireProgram('firefox-esr'),
    args: ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port=0'],
    env: { HOME: home, MOZ_HEADLESS_WIDTH: String(screen.width), MOZ_HEADLESS_HEIGHT: String(screen.height) },
  });
  const [, address] = await waitForPrinted(firefox, 2, /WebDriver BiDi listening on (ws:\S+)/);
  const send = await connect(`${address}/session`);
  const session = (await send('session.new', { capabilities: {} })) as { capabilities: { browserVersion: string } };
  const ending = started.move();
  return {
    version: session.capabilities.browserVersion,
    openTab: () => openTab(send),
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

/** With these preferences Firefox saves files without asking, and sends nothing to Mozilla's servers. */
function preferencesFor(home: string): string {
  const preferences = {
    'browser.download.folderList': 2,
    'browser.download.dir': home,
    'browser.download.alwaysOpenPanel': false,
    'app.update.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'intl.accept_languages': 'en-GB',
  };
  return Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

type Send = (method: string, params?: object) => Promise<unknown>;

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  socket.onmessage = ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data));
    if (type === 'error') pending.get(id)?.reject(new Error(`${error}: ${message}`));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  };
  socket.onclose = () => {
    for (const { reject } of pending.values()) reject(new Error('Firefox exited.'));
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`Firefox did not answer at ${address}.`));
  });
  let last = 0;
  return (method, params = {}) => {
    last += 1;
    const answer = Promise.withResolvers<unknown>();
    pending.set(last, answer);
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer.promise;
  };
}

async function openTab(send: Send): Promise<Driver> {
  const { userContext } = (await send('browser.createUserContext')) as { userContext: string };
  const { context } = (await send('browsingContext.create', { type: 'tab', userContext })) as { context: string };
  return {
    goto: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    back: () => send('browsingContext.traverseHistory', { context, delta: -1 }),
    async evaluate(expression) {
      const script = { expression: asJson(expression), target: { context }, awaitPromise: true };
      const { result, exceptionDetails } = (await send('script.evaluate', script)) as Evaluated;
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return fromJson(result?.value);
    },
    perform: (actions) => send('input.performActions', { context, actions }),
    picture: async () => ((await send('browsingContext.captureScreenshot', { context })) as { data: string }).data,
    close: () => send('browser.removeUserContext', { userContext }),
  };
}

interface Evaluated {
  result?: { value?: string };
  exceptionDetails?: { text: string };
}
