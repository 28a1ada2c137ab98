/**
 * The path that a proxy adds before all paths of the service. The server writes it into the page. Empty without a
 * proxy.
 */
export const basePath: string = document.querySelector<HTMLMetaElement>('meta[name="tillhook-base"]')?.content ?? '';

/** The nonce that the style elements of this page need. Empty in development, where the server sends no policy. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
