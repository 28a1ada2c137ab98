import { TillhookError } from '@tillhook/sdk/session';
import { type ComponentType, lazy, useState } from 'react';
import { visitor } from './api.ts';

/**
 * Loads the script of a page or of a part. If that fails, it calls the service. If the service does not answer either, it
 * throws the error of that call. If the service answers, a newer version of the dashboard has replaced the script, or the
 * browser remembers an earlier failure. In both cases the router recognises the browser's error message, and loads the
 * document again.
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

/** Loads the script of a part when the user is about to open it. If that fails, the part loads it again and shows the failure. */
export function loadAhead(load: () => Promise<unknown>): void {
  loadScript(load).catch(() => undefined);
}

/** A part of a page whose script is loaded when the part is first shown. */
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
 * A part that the first rendering may need. If `loaded` returns it, React renders it together with its page. Otherwise
 * React renders the page first, and again when the part is loaded.
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
 * A script of this page no longer exists, because a newer version of the dashboard has replaced it. The error keeps the
 * browser's message, because the router recognises the message and loads the document again.
 */
export class OutdatedPageError extends Error {}

/**
 * Returns false when no script is missing. Otherwise loads the document again as soon as the service answers, because
 * React and the browser remember that a script failed until the document is loaded again.
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
