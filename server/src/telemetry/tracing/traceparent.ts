/** The header `traceparent` of W3C Trace Context, which names a trace and a position in it. */

export interface TracePosition {
  traceId: string;
  spanId: string;
  /** Whether the sender records the trace. */
  isSampled: boolean;
}

/** Version, trace, span, flags, and what a later version may add. Ids of zeros and the version ff are not valid. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;

/** Returns undefined for a malformed header, which is ignored as the standard asks. */
export function readTraceparent(header: string | undefined): TracePosition | undefined {
  const [, version, traceId, spanId, flags, addition] = form.exec(header ?? '') ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && addition !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

/** The header of a position that is recorded. */
export function writeTraceparent({ traceId, spanId }: Pick<TracePosition, 'traceId' | 'spanId'>): string {
  return `00-${traceId}-${spanId}-01`;
}
