/** The placeholder that `html.cspNonce` in `server/dashboard/vite.config.ts` sets. */
const nonceMark = 'NONCE_OF_THIS_ANSWER';

/**
 * The built page for a service below the path `base`. Its asset
 * addresses become absolute, so every address can serve it.
 */
export function pageBelow(built: string, base: string): string {
  return built
    .replaceAll('"./assets/', `"${base}/dashboard/assets/`)
    .replace('<meta name="tillhook-base" content="">', `<meta name="tillhook-base" content="${base}">`)
    .replace('href="/docs"', `href="${base}/docs"`);
}

/** Puts the nonce into the page. Style elements need it, and every answer has a new one. */
export function withNonce(page: string, nonce: string): string {
  return page.replaceAll(nonceMark, nonce);
}
