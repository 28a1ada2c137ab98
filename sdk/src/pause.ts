/** Returns true if the signal was aborted before the time was over. */
export function isAbortedWithin(delayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve(signal?.aborted ?? false);
    };
    const timer = setTimeout(end, delayMs);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}
