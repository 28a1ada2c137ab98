import createRedact from '@pinojs/redact';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger };

/**
 * The messages of the two log entries that people see most often. The log for people prints each of these entries in a
 * short form.
 */
export const requestEnded = 'A request ended';
export const deliveryAttempted = 'A delivery was attempted';

/** Only values inside objects are redacted, because no log entry has a secret at its top level. */
const redact = createRedact({
  paths: [
    '*.secret',
    '*.apiKey',
    '*.password',
    '*.cardNumber',
    '*.accountNumber',
    '*.cvc',
    'headers.authorization',
    'headers["x-api-key"]',
  ],
  censor: '[redacted]',
  serialize: false,
});

/** Logs are written to standard error, because standard output is for the lines that `npm start` prints for people. */
export function createLogger(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  // `withoutSecrets` has already turned the error into a plain object.
  const serializers = { err: (error: unknown) => error };
  return pino({ level, formatters: { log: withoutSecrets }, serializers }, destination);
}

type Fields = Record<string, unknown>;

/**
 * Redacts the secrets in a log entry. Pino's setting `redact` uses the same library, but checks every value, which
 * takes several times as long as the rest of a log entry, although most entries contain no object. The fields of a
 * child logger, such as the id of a request, are not checked.
 */
function withoutSecrets(fields: Fields): Fields {
  if (!Object.values(fields).some(isObject)) return fields;
  const { err } = fields;
  const readable = err instanceof Error ? { ...fields, err: pino.stdSerializers.err(err) } : fields;
  const { restore: _, ...redacted } = redact(readable) as Fields;
  return redacted;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
