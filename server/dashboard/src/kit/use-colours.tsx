import { type ReactNode, useEffect, useState } from 'react';
import type { Language } from './highlight.ts';

type Highlight = (text: string, language: Language) => string;

/** A longer text would take too long to colour. */
const maxLength = 50_000;

let loaded: Highlight | undefined;

/** Returns null until the highlighter is loaded. If it cannot be loaded, the text stays as it is. */
export function useColours(text: string, language: Language | undefined): ReactNode {
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loaded);
  const isWanted = language !== undefined && text.length <= maxLength;
  useEffect(() => {
    if (!isWanted || loaded) return;
    let isShown = true;
    void load().then(() => {
      if (isShown) setHighlight(() => loaded);
    });
    return () => {
      isShown = false;
    };
  }, [isWanted]);
  if (!isWanted || !highlight) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the text.
  return <span dangerouslySetInnerHTML={{ __html: highlight(text, language) }} />;
}

async function load(): Promise<void> {
  try {
    loaded = (await import('./highlight.ts')).highlight;
  } catch {
    // The colours are missing, and the text is readable.
  }
}
