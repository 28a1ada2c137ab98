import createRedact from '@pinojs/redact';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger };

/** The two messages that the log for people prints in a short form, because they are the most frequent. */
export const requestEnded = 'A request ended';
export const deliveryAttempted = 'A delivery was attempted';

/** No log entry has a secret at its top level, so only values inside objects are redacted. */
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

/** Logs are written to standard error: `npm start` prints its lines for people to standard output. */
export function createLogger(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  const serializers = { err: (error: unknown) => error };
  return pino({ level, formatters: { log: withoutSecrets }, serializers }, destination);
}

type Fields = Record<string, unknown>;

/**
 * Pino's setting `redact` would check every value, which takes several times as long as the rest of a log entry,
 * although most entries contain no object. The fields of a child logger are not checked for secrets.
 */
function withoutSecrets(fields: Fields): Fields {
  if (!Object.values(fields).some(isObject)) return fields;
  const { err } = fields;
  const readable = err instanceof Error ? { ...fields, err: pino.stdSerializers.err(err) } : fields;
  const { restore: _, ...redacted } = redact(readable) as Fields;
  return redacted;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
