import { authorizeWith, checkApiKey, redacted } from './api-key.ts';
import { addressOf, readBaseUrl, readConnection, type TillhookOptions } from './client-options.ts';
import { ClientResources } from './generated/client-resources.ts';
import { version } from './generated/version.ts';
import { methodsOver } from './methods.ts';
import { createTransport } from './transport.ts';

/**
 * A client of a Tillhook server with an API key. The key's mode, test or live, is the mode of everything that the
 * client creates and lists. The key is a secret: keep it on your server.
 *
 * @example
 * const tillhook = new Tillhook('sk_test_…', { baseUrl: 'http://localhost:3000' });
 * const session = await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
 * console.log('Send the customer to', session.data.checkoutUrl);
 */
export class Tillhook extends ClientResources {
  /** The URL of the server. */
  readonly baseUrl: string;
  /** The API key without its secret part, for printing. */
  readonly #shown: string;

  constructor(apiKey: string, options: TillhookOptions) {
    const url = readBaseUrl(options?.baseUrl);
    checkApiKey(apiKey, url);
    const baseUrl = addressOf(url);
    const authorize = authorizeWith(apiKey);
    const userAgent = `tillhook-sdk/${version}`;
    super(
      methodsOver(createTransport({ ...readConnection(options), baseUrl, userAgent, authorize, credentials: 'omit' })),
    );
    this.baseUrl = baseUrl;
    this.#shown = redacted(apiKey);
    // Node calls this function when it prints the client.
    Object.defineProperty(this, Symbol.for('nodejs.util.inspect.custom'), {
      value: () => `Tillhook ${JSON.stringify(this)}`,
    });
  }

  /** @deprecated Use `test`, the new name of this property. */
  get testHelpers(): this['test'] {
    return this.test;
  }

  /** Returns the public properties of the client: its URL, and enough of the API key to identify the key. */
  toJSON(): { baseUrl: string; apiKey: string } {
    return { baseUrl: this.baseUrl, apiKey: this.#shown };
  }
}
