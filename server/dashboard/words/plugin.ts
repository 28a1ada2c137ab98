/** Plugins of the build which write the dashboard in another language. */
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { isTranslated, readCatalogue, translatePage, translationOf } from './catalogue.ts';
import { translateSource } from './translate-source.ts';

export function inLanguage(language: string): Plugin {
  const catalogue = readCatalogue(language);
  return {
    name: 'in-language',
    enforce: 'pre',
    transform: {
      filter: { id: /\/(?:src|look)\/.*\.tsx?$/ },
      handler(source, id) {
        const file = relative(join(import.meta.dirname, '..'), id);
        if (!isTranslated(file)) return null;
        const english = source.replace("pageLanguage = 'en' as Language", `pageLanguage = '${language}' as Language`);
        return { code: translateSource(file, english, (message) => translationOf(catalogue, message)), map: null };
      },
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (page) =>
        translatePage(page, (message) => translationOf(catalogue, message)).replace(
          '<html lang="en">',
          `<html lang="${language}">`,
        ),
    },
    generateBundle: {
      order: 'post',
      // The pages of all languages are in one folder, and share the assets without texts.
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        delete bundle['index.html'];
        this.emitFile({ type: 'asset', fileName: `index.${language}.html`, source: page.source });
      },
    },
  };
}
