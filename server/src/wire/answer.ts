/** The part of a receiver's answer that is kept. No content of it is trusted, and nothing is decompressed. */
export interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  /** Whether there was or may have been more of the body. */
  isTruncated: boolean;
  retryAfter: string | null;
}

/** How much of a body is read before the connection is cut. */
export const readBytes = 16_384;
const keptBytes = 2048;
const keptHeaderLength = 256;

/** Headers that help to find out what went wrong. Others, such as cookies, may be secret and are not kept. */
const keptHeaders = [
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
    /** Adds a piece of the body. True when enough was read. */
    add(chunk: Buffer): boolean {
      // The chunk belongs to the parser, which may overwrite it when this function has returned.
      if (received < keptBytes) chunks.push(Buffer.from(chunk.subarray(0, keptBytes - received)));
      received += chunk.length;
      return received >= readBytes;
    },
    /** `isWhole` says that the body has not broken off. */
    read(isWhole: boolean): Answer {
      const isTruncated = received > keptBytes || !isWhole;
      return {
        statusCode,
        headers: pickKept(headers),
        body: decode(Buffer.concat(chunks), isTruncated),
        isTruncated,
        retryAfter: firstValue(headers['retry-after']) ?? null,
      };
    },
  };
}

const unstorable = /[\0\ud800-\udfff]/;

/**
 * Postgres stores neither NUL nor half of a surrogate pair, and one of them would make a whole batch of results fail.
 */
export function storable(text: string): string {
  return unstorable.test(text) ? text.toWellFormed().replaceAll('\0', '\uFFFD') : text;
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });
const wholeTexts = newDecoder();

/** A character that was cut in the middle is left out. Other bytes that are not UTF-8 become U+FFFD. */
function decode(bytes: Buffer, isTruncated: boolean): string {
  return storable(isTruncated ? newDecoder().decode(bytes, { stream: true }) : wholeTexts.decode(bytes));
}

function pickKept(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = firstValue(headers[name]);
    if (value !== undefined) kept[name] = storable(value.slice(0, keptHeaderLength));
  }
  return kept;
}

const firstValue = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
