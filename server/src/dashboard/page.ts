/** As `html.cspNonce` of `server/dashboard/vite.config.ts` has it. */
const nonceMark = 'NONCE_OF_THIS_ANSWER';

/** The page as it was built, for a server below `base`: its files are found from any address of the dashboard. */
export function pageBelow(built: string, base: string): string {
  return built
    .replaceAll('"./assets/', `"${base}/dashboard/assets/`)
    .replace('<meta name="tillhook-base" content="">', `<meta name="tillhook-base" content="${base}">`)
    .replace('href="/docs"', `href="${base}/docs"`);
}

/** Styles of the components are elements with this nonce; every answer has another. */
export function withNonce(page: string, nonce: string): string {
  return page.replaceAll(nonceMark, nonce);
}
