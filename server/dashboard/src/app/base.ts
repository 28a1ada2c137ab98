/** The path below which the whole service lies: empty, unless a proxy adds one, which the server then writes into the page. */
export const basePath: string = document.querySelector<HTMLMetaElement>('meta[name="tillhook-base"]')?.content ?? '';

/** The nonce that this page's style elements need; empty in development, where no policy is sent. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
