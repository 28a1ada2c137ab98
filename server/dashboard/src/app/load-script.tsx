import { TillhookError } from '@tillhook/sdk/session';
import { type ComponentType, lazy, useState } from 'react';
import { visitor } from './api.ts';

/**
 * After a failed load, this function calls the service and throws the error of the call. If the call succeeds, it
 * throws the browser's error, which the router recognises: the router then reloads the document.
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

/** A failed preload is ignored: when the user opens the part, its script is loaded again, and a failure is shown. */
export function loadAhead(load: () => Promise<unknown>): void {
  loadScript(load).catch(() => undefined);
}

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

/** If `loaded` returns the component, React renders it at once. Otherwise React renders the rest of the page first. */
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
 * The error has the browser's message for a missing script, because the router recognises this message and reloads the
 * document.
 */
export class OutdatedPageError extends Error {}

/** Returns whether a script has failed: React and the browser load it again only after the document is reloaded. */
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
