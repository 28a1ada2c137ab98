import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger };

/**
 * The messages of the two entries that people see most. The log for people prints each of them in a short form.
 */
export const requestEnded = 'A request ended';
export const deliveryAttempted = 'A delivery was attempted';

/** Logs go to standard error, because standard output is for the lines that `npm start` prints for people. */
export function createLogger(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      redact: {
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
      },
    },
    destination,
  );
}
