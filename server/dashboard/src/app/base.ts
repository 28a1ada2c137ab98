/**
 * The path prefix that a proxy adds to all paths of the service; empty without a proxy. The server writes the prefix
 * into the page.
 */
export const basePath: string = document.querySelector<HTMLMetaElement>('meta[name="tillhook-base"]')?.content ?? '';

/**
 * The nonce that the style elements of this page need. It is empty in development, where the server sends no
 * Content-Security-Policy.
 */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
