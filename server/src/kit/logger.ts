import pino, { type Logger } from 'pino';

export type { Logger };

/** Logs go to standard error, because standard output is for the lines that `npm start` prints for people. */
export function createLogger(level: string): Logger {
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
    pino.destination(2),
  );
}
