/** The path prefix that a proxy adds to all paths of the service; empty without a proxy. */
export const basePath: string = document.querySelector<HTMLMetaElement>('meta[name="tillhook-base"]')?.content ?? '';

/** The nonce of style elements; empty in development, where the server sends no Content-Security-Policy. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
