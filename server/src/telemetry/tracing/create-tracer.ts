import type { Config } from '../../config/config.ts';
import type { Logger } from '../../kit/logger.ts';
import type { Tracer } from './tracer.ts';

// See docs/decisions/traces.md, "OpenTelemetry is loaded only where traces are sent".
export async function createTracer({ tracing, role, shutdownGraceMs }: Config, log: Logger): Promise<Tracer> {
  if (!tracing) return noTracer;
  const { createRecordingTracer } = await import('./recording-tracer.ts');
  return createRecordingTracer({ ...tracing, role, shutdownGraceMs, log });
}

const noTracer: Tracer = {
  beginCall: () => undefined,
  beginEvent: () => undefined,
  beginAttempt: () => undefined,
  stop: async () => {},
};
