/** Loaded when the first coloured text is shown. The documentation uses the same highlighter. */
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import typescript from 'highlight.js/lib/languages/typescript';

const languages = { bash, go, java, json, php, python, ruby, typescript };

export type Language = keyof typeof languages;

for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** Returns HTML in which everything but the spans of the highlighter is escaped. */
export function highlight(text: string, language: Language): string {
  return highlighter.highlight(text, { language }).value;
}
