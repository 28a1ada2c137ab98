/** The codes of ISO 4217 that the browser knows. The service decides which ones it accepts. */
export const currencies: readonly string[] = Intl.supportedValuesOf('currency');
