import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** The server puts another in its place in every answer. */
const nonce = 'NONCE_OF_THIS_ANSWER';

/** Where `npm run dashboard` finds the service. */
const service = process.env.DASHBOARD_SERVICE_URL ?? 'http://127.0.0.1:3000';

/**
 * What every first load needs, with all that it imports: as two files and not as sixty, each of which would take a turn on the
 * few connections of a browser. `main` is small and asks the service while `start` is on its way.
 */
const firstLoad = [
  { name: 'main', test: /src\/app\/main\.ts$/, priority: 2 },
  { name: 'start', test: /src\/(app\/start|shell\/shell|home\/home\.page)\.tsx$/, priority: 1 },
];

export default defineConfig(({ command }) => ({
  plugins: [react(), startSooner(), missStyles(), packAssets()],
  // What is built finds its files relative to each other, because only the server knows below which path it serves them.
  base: command === 'build' ? './' : '/dashboard/',
  resolve: { conditions: ['@tillhook/source', 'module', 'browser', 'development|production'] },
  html: { cspNonce: nonce },
  // A policy without `data:` for scripts and styles takes files only.
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // What is small is together: a page that is opened waits for no style sheet but, once, the late one.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: firstLoad } } },
  },
  server: { port: 5173, proxy: { '/api': service, '/docs': service, '/checkout': service } },
}));

/**
 * The page names the script that `main` imports, so that both come at once. `main` is async, because it need not wait for the
 * styles to ask the service, and stands behind the element that the dashboard is drawn in.
 */
function startSooner(): Plugin {
  const main = /<script type="module"[^>]*><\/script>/;
  return {
    name: 'start-sooner',
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle = {} }) => {
        const script = main.exec(page)?.[0] ?? '';
        const start = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'start');
        if (!start) return page;
        return {
          html: page.replace(script, '').replace('</body>', `${script.replace('<script', '<script async')}\n</body>`),
          tags: [
            {
              tag: 'link',
              attrs: { rel: 'modulepreload', crossorigin: true, href: `./${start.fileName}`, nonce },
              injectTo: 'head',
            },
          ],
        };
      },
    },
  };
}

/** The scripts of what is drawn first, apart from what they import. */
const drawnFirst = ['main', 'start', 'sign-in.page', 'figures', 'create-endpoint-step'];

/**
 * Fails when a component of Mantine is used whose styles neither `src/app/mantine.css` nor `mantine-late.css` lists, and when one
 * that is drawn first has its styles in the second.
 * See docs/decisions/dashboard.md, "Styles are listed by hand".
 */
function missStyles(): Plugin {
  return {
    name: 'miss-styles',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const chunks = files.filter((file) => file.type === 'chunk');
      const first = files
        .map((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? file.source : ''))
        .join();
      const late = chunks.find(({ name }) => name === 'late-styles')?.code;
      const missing = classesIn(chunks.filter((chunk) => chunk.name !== 'late-styles')).filter(
        (name) => !first.includes(name) && !late?.includes(name),
      );
      if (missing.length > 0) this.error(`src/app/mantine-late.css has no styles for ${missing.join(', ')}`);
      const tooLate = classesIn(withImports(chunks)).filter((name) => !first.includes(name));
      if (tooLate.length > 0) this.error(`What is drawn first needs in src/app/mantine.css ${tooLate.join(', ')}`);
    },
  };
}

function withImports(chunks: Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const found = new Set(chunks.filter(({ name }) => drawnFirst.includes(name)));
  for (const chunk of found) {
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) found.add(other);
  }
  return [...found];
}

/** Mantine's names of classes that occur in these scripts. */
function classesIn(chunks: Rolldown.OutputChunk[]): string[] {
  const all = readFileSync(new URL(import.meta.resolve('@mantine/core/styles.css')), 'utf8');
  const script = chunks.map(({ code }) => code).join();
  return [...new Set(all.match(/\bm_[\da-f]{6,8}\b/g))].filter((name) => script.includes(name));
}

/** Every asset once more in gzip and in Brotli, so that the server packs nothing. */
function packAssets(): Plugin {
  return {
    name: 'pack-assets',
    apply: 'build',
    writeBundle() {
      const folder = `${import.meta.dirname}/dist/assets`;
      for (const name of readdirSync(folder)) {
        const bytes = readFileSync(`${folder}/${name}`);
        writeFileSync(`${folder}/${name}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${folder}/${name}.br`, brotliCompressSync(bytes));
      }
    },
  };
}
