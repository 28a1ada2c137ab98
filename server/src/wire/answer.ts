/** The content of an answer is untrusted and is not decompressed. */
export interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isTruncated: boolean;
  retryAfter: string | null;
}

/** After this number of bytes of the body, the connection is closed. */
export const maxReadBytes = 16_384;
const maxStoredBytes = 2048;
const maxHeaderLength = 256;

/** Headers that are not listed, such as cookies, may be secret and are not stored. */
const storedHeaders = [
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'location',
  'retry-after',
  'server',
  'www-authenticate',
  'x-request-id',
];

type Headers = Record<string, string | string[] | undefined>;

export function createAnswer(statusCode: number, headers: Headers) {
  const chunks: Buffer[] = [];
  let received = 0;
  return {
    statusCode,
    /** Returns true when enough of the body was read. */
    add(chunk: Buffer): boolean {
      // The bytes are copied, because the parser may overwrite the chunk after this function returns.
      if (received < maxStoredBytes) chunks.push(Buffer.from(chunk.subarray(0, maxStoredBytes - received)));
      received += chunk.length;
      return received >= maxReadBytes;
    },
    read(isWhole: boolean): Answer {
      const isTruncated = received > maxStoredBytes || !isWhole;
      return {
        statusCode,
        headers: pickStored(headers),
        body: decode(Buffer.concat(chunks), isTruncated),
        isTruncated,
        retryAfter: firstValue(headers['retry-after']) ?? null,
      };
    },
  };
}

const unstorable = /[\0\ud800-\udfff]/;

/** With NUL or a lone surrogate in one result, Postgres would refuse the whole batch of results. */
export function storable(text: string): string {
  return unstorable.test(text) ? text.toWellFormed().replaceAll('\0', '\uFFFD') : text;
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });
const wholeTexts = newDecoder();

/** Omits an incomplete character at the end of a truncated body. Other bytes that are not UTF-8 become U+FFFD. */
function decode(bytes: Buffer, isTruncated: boolean): string {
  return storable(isTruncated ? newDecoder().decode(bytes, { stream: true }) : wholeTexts.decode(bytes));
}

function pickStored(headers: Headers): Record<string, string> {
  const stored: Record<string, string> = {};
  for (const name of storedHeaders) {
    const value = firstValue(headers[name]);
    if (value !== undefined) stored[name] = storable(value.slice(0, maxHeaderLength));
  }
  return stored;
}

const firstValue = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
