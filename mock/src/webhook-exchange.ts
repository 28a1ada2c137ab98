/** One request to a receiver, and what it answered, in the terms of the contract's attempts. */
export interface Outcome {
  statusCode: number | null;
  /** Why there was no answer; null if one came. */
  error: string | null;
  responseHeaders: Record<string, string> | null;
  /** The first 2 KiB of the answer's body. */
  responseBody: string | null;
  responseTruncated: boolean;
}

const timeoutMs = 15_000;
const mostBytes = 2_048;

export async function exchange(url: string, init: RequestInit, stopping?: AbortSignal): Promise<Outcome> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(stopping ? [stopping] : [])]);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    return { statusCode: response.status, error: null, ...(await contentOf(response)) };
  } catch (error) {
    const nothing = { responseHeaders: null, responseBody: null, responseTruncated: false };
    return { statusCode: null, error: errorOf(error as Error), ...nothing };
  }
}

async function contentOf(response: Response) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop also ends the connection, so that an answer without an end ends here.
    if (size > mostBytes) break;
  }
  return {
    responseHeaders: Object.fromEntries(
      [...response.headers].slice(0, 20).map(([name, value]) => [name, value.slice(0, 1000)]),
    ),
    responseBody: Buffer.concat(chunks).subarray(0, mostBytes).toString(),
    responseTruncated: size > mostBytes,
  };
}

/** The errors of a delivery, by the codes of network failures. */
const errors: Record<string, string> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ENOTFOUND: 'dns_failed',
};

function errorOf({ name, cause }: Error): string {
  const { code = '' } = (cause ?? {}) as { code?: string };
  return name === 'TimeoutError' ? 'timeout' : (errors[code] ?? 'network_error');
}
