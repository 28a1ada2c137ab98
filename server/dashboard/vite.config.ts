import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dashboard` finds the service. */
const service = process.env.DASHBOARD_SERVICE_URL ?? 'http://127.0.0.1:3000';

export default defineConfig(({ command }) => ({
  plugins: [react(), packAssets()],
  // What is built finds its files relative to each other, because only the server knows below which path it serves them.
  base: command === 'build' ? './' : '/dashboard/',
  resolve: { conditions: ['@tillhook/source', 'module', 'browser', 'development|production'] },
  html: { cspNonce: 'NONCE_OF_THIS_ANSWER' },
  // A policy without `data:` for scripts and styles takes files only.
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { port: 5173, proxy: { '/api': service, '/docs': service, '/checkout': service } },
}));

/** Every asset once more in gzip and in Brotli, so that the server packs nothing. */
function packAssets(): Plugin {
  return {
    name: 'pack-assets',
    apply: 'build',
    closeBundle() {
      const folder = `${import.meta.dirname}/dist/assets`;
      for (const name of readdirSync(folder)) {
        const bytes = readFileSync(`${folder}/${name}`);
        writeFileSync(`${folder}/${name}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${folder}/${name}.br`, brotliCompressSync(bytes));
      }
    },
  };
}
