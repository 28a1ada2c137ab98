/** What the browser knows of ISO 4217; the service has the last word. */
export const currencies: readonly string[] = Intl.supportedValuesOf('currency');
