import { TillhookError } from '@tillhook/sdk/session';
import { type ComponentType, lazy, useState } from 'react';
import { visitor } from './api.ts';

/**
 * Loads the script of a page or of a part of a page. If loading fails, this function calls the service. If that call
 * also fails, the function throws the error of the call. If the call succeeds, a newer version of the dashboard has
 * replaced the script, or the browser remembers an earlier failure. In both cases the router recognises the browser's
 * error message, and reloads the document.
 * See docs/decisions/dashboard.md, "A script that does not come is told apart from a service that is away".
 */
export async function loadScript<Script>(load: () => Promise<Script>): Promise<Script> {
  try {
    return await load();
  } catch (failure) {
    const reason = await whyUnreachable();
    if (reason) throw reason;
    isScriptMissing = true;
    throw new OutdatedPageError(failure instanceof Error ? failure.message : String(failure), { cause: failure });
  }
}

let isScriptMissing = false;

/**
 * Loads the script of a part of the page when the user is about to open that part. If loading fails, opening the part
 * loads the script again and shows the failure.
 */
export function loadAhead(load: () => Promise<unknown>): void {
  loadScript(load).catch(() => undefined);
}

/** Returns a part of a page whose script is loaded when the part is first shown. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazy(async () => {
    try {
      return { default: await loadScript(load) };
    } catch (error) {
      isScriptMissing = true;
      throw error;
    }
  });
}

/**
 * Returns a part of a page that the first rendering may need. If `loaded` returns the part, React renders it together
 * with the page. Otherwise React renders the page first, and again when the part is loaded.
 */
export function lazilyAtFirst<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loaded: () => ComponentType<Props> | undefined,
): ComponentType<Props> {
  const Late = lazily(load);
  return (props: Props) => {
    const [Part] = useState(() => loaded() ?? Late);
    return <Part {...props} />;
  };
}

/**
 * Thrown when a script of this page no longer exists, because a newer version of the dashboard has replaced the script.
 * The error has the browser's message, because the router recognises this message and reloads the document.
 */
export class OutdatedPageError extends Error {}

/**
 * Returns false when all scripts were loaded. Otherwise reloads the document as soon as the service answers, because
 * React and the browser remember a failed script until the document is reloaded.
 */
export function reloadForScripts(): boolean {
  if (isScriptMissing) void whyUnreachable().then((reason) => reason === null && location.reload());
  return isScriptMissing;
}

async function whyUnreachable(): Promise<TillhookError | null> {
  try {
    await visitor.session.get();
  } catch (error) {
    if (error instanceof TillhookError && error.status === null) return error;
  }
  return null;
}
