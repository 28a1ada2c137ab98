import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig, loadEnv, type Plugin, type UserConfig } from 'vite';
import { type Language, languages } from './src/app/languages.ts';
import { inLanguage } from './words/plugin.ts';

/** A placeholder, which the server replaces with a new nonce in every response. */
const nonce = 'NONCE_OF_THIS_ANSWER';

/** The port of the service to which the development server forwards requests, from the service's own settings. */
const { PORT = '3000' } = loadEnv('', process.cwd(), 'PORT');
const service = process.env.DASHBOARD_SERVICE_URL ?? `http://127.0.0.1:${PORT || 3000}`;

/**
 * The oldest browsers that the pages support, in the format that the build needs: `safari17.4`.
 * See docs/decisions/dashboard.md, "One list names the supported browsers".
 */
const { browserslist } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const oldestBrowsers: string[] = browserslist.map((one: string) => one.replace('ios_saf', 'ios').replace(' ', ''));

/**
 * Each of these scripts contains all its imports: sixty separate files would wait for each other, because a browser
 * opens few connections.
 */
const firstLoad = [
  { name: 'main', test: /src\/app\/main\.ts$/, priority: 3 },
  { name: 'start', test: /src\/(app\/start|shell\/shell)\.tsx$/, priority: 2 },
  { name: 'home', test: /src\/home\/home\.page\.tsx$/, priority: 1 },
];

export default defineConfig(({ command }) =>
  command === 'build'
    ? withPlugins(configOf('build'), [inEveryLanguage(), packAssets()])
    : withPlugins(configOf('serve'), inLanguages(process.env.DASHBOARD_LANGUAGE)),
);

function configOf(command: 'build' | 'serve'): UserConfig {
  return {
    // See docs/decisions/dashboard.md, "A plugin of the build stays if it saves 100 ms".
    plugins: [react(), themeByAttribute(), themeFirst(), startSooner()],
    // Only the server knows the path prefix under which it serves the files, so the files refer to each other by
    // relative paths.
    base: command === 'build' ? './' : '/dashboard/',
    resolve: { conditions: ['@tillhook/source', 'module', 'browser', 'development|production'] },
    html: { cspNonce: nonce },
    // Nothing is inlined, because the Content-Security-Policy does not allow `data:` URLs for scripts and styles.
    build: {
      target: oldestBrowsers,
      assetsInlineLimit: 0,
      // All styles are in one file, so that a page opened later does not wait for a style sheet.
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: { groups: firstLoad } } },
    },
    server: { port: 5173, proxy: { '/api': service, '/docs': service, '/checkout': service, '/pay': service } },
  };
}

function withPlugins(config: UserConfig, plugins: Plugin[]): UserConfig {
  return { ...config, plugins: [...plugins, ...(config.plugins ?? [])] };
}

function inLanguages(language: string | undefined): Plugin[] {
  return language === undefined || language === 'en' ? [] : [inLanguage(language)];
}

/** After the English dashboard, the build writes those of the other languages into the same folder. */
function inEveryLanguage(): Plugin {
  return {
    name: 'in-every-language',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        for (const language of languages.filter((each: Language) => each !== 'en')) {
          const config = withPlugins(configOf('build'), inLanguages(language));
          await build({
            ...config,
            configFile: false,
            logLevel: 'warn',
            build: { ...config.build, outDir: dir, emptyOutDir: false },
          });
        }
      },
    },
  };
}

/**
 * Other pages have the dark colours where the system is dark. The dashboard has them where its theme is dark, which the
 * user may choose: see `theme-first.js`.
 */
function themeByAttribute(): Plugin {
  return {
    name: 'theme-by-attribute',
    enforce: 'pre',
    transform: {
      filter: { id: /look\/tokens\.css$/ },
      handler: (sheet) =>
        sheet
          .replace('color-scheme: light dark;', 'color-scheme: light;')
          .replace(
            /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/,
            ":root[data-mantine-color-scheme='dark'] { color-scheme: dark; $1 }",
          ),
    },
  };
}

/** Adds a script that is no module, because the browser paints nothing before it has run such a script. */
function themeFirst(): Plugin {
  const path = 'src/app/theme-first.js';
  let isBuild = false;
  return {
    name: 'theme-first',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    buildStart() {
      if (isBuild) this.emitFile({ type: 'asset', name: 'theme-first.js', source: readFileSync(path) });
    },
    transformIndexHtml: {
      order: 'post',
      // Before the style sheet, because a script waits for the style sheets above it.
      handler: (page, { bundle }) => {
        const file = Object.keys(bundle ?? {}).find((name) => name.includes('theme-first'));
        const src = file === undefined ? `/dashboard/${path}` : `./${file}`;
        return page.replace('<title>', `<script src="${src}"></script>\n<title>`);
      },
    },
  };
}

/**
 * Adds a `modulepreload` link, so that the browser loads `start` in parallel with `main`. `main` becomes async, because
 * it can send requests before the styles are loaded.
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
              attrs: {
                id: 'start-script',
                rel: 'modulepreload',
                crossorigin: true,
                href: `./${start.fileName}`,
                nonce,
              },
              injectTo: 'head',
            },
          ],
        };
      },
    },
  };
}

/** The build compresses each asset, so that the server does not have to. */
function packAssets(): Plugin {
  return {
    name: 'pack-assets',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        const folder = `${dir}/assets`;
        const pack = async (name: string) => {
          const bytes = await readFile(`${folder}/${name}`);
          await writeFile(`${folder}/${name}.gz`, await promisify(gzip)(bytes, { level: 9 }));
          await writeFile(`${folder}/${name}.br`, await promisify(brotliCompress)(bytes));
        };
        await Promise.all((await readdir(folder)).map(pack));
      },
    },
  };
}
