/** Drives WebKit through WebDriver over HTTP. Each tab is a new browser, on a virtual screen. */

import { eventually } from '../eventually.ts';
import { freePort } from '../network/free-port.ts';
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

export async function startWebKit(): Promise<RunningBrowser> {
  await using started = new AsyncDisposableStack();
  const home = temporaryHome(started);
  const xvfb = startProgram(started, {
    path: requireProgram('Xvfb'),
    args: ['-displayfd', '3', '-screen', '0', `${screen.width}x${screen.height}x24`, '-nolisten', 'tcp'],
  });
  const [display] = await waitForPrinted(xvfb, 3, /^\d+/);
  const port = await freePort();
  startProgram(started, {
    path: requireProgram('WebKitWebDriver'),
    args: [`--port=${port}`],
    env: { ...unattended, HOME: home, XDG_RUNTIME_DIR: home, XDG_CONFIG_HOME: home, DISPLAY: `:${display}` },
  });
  const call = callsTo(`http://127.0.0.1:${port}`);
  await eventually(() => call('GET', '/status').then(() => 'answers'), 'answers');
  const { sessionId, capabilities } = await newSession(call);
  await call('DELETE', `/session/${sessionId}`);
  const ending = started.move();
  return {
    version: capabilities.browserVersion,
    openTab: () => openTab(call),
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

/** The environment variables for a browser without a desktop and without a graphics card. */
const unattended = {
  // WebKit's sandbox does not work for the user root.
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  LIBGL_ALWAYS_SOFTWARE: '1',
  NO_AT_BRIDGE: '1',
  GSETTINGS_BACKEND: 'memory',
  LANGUAGE: 'en_GB',
};

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

function callsTo(address: string): Call {
  return async (method, path, body = {}) => {
    const response = await fetch(address + path, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${error}: ${message}`);
  };
}

async function newSession(call: Call) {
  const session = await call('POST', '/session', { capabilities: { alwaysMatch: {} } });
  return session as { sessionId: string; capabilities: { browserVersion: string } };
}

async function openTab(call: Call): Promise<Driver> {
  const session = `/session/${(await newSession(call)).sessionId}`;
  await call('POST', `${session}/window/rect`, { x: 0, y: 0, ...screen });
  return {
    goto: (url) => call('POST', `${session}/url`, { url }),
    back: () => call('POST', `${session}/back`),
    async evaluate(expression) {
      const script = `return ${asJson(expression)}`;
      return fromJson((await call('POST', `${session}/execute/sync`, { script, args: [] })) as string | null);
    },
    perform: (actions) => call('POST', `${session}/actions`, { actions }),
    picture: async () => (await call('GET', `${session}/screenshot`)) as string,
    close: () => call('DELETE', session),
  };
}
