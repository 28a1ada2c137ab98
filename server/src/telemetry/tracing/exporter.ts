/**
 * Sends batches of spans to the collector. A failure only loses spans. The log has one line when it begins and one when
 * it is over, however many batches are lost between them.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../../kit/logger.ts';

interface ExporterSettings {
  url: string;
  headers: Record<string, string>;
  log: Logger;
}

/** For one batch with all its repetitions. Meanwhile further spans wait, and those that find no place are dropped. */
const timeoutMs = 10_000;

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

export function createExporter({ url, headers, log }: ExporterSettings): SpanExporter & { timeoutMs: number } {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs });
  let isFailing = false;

  function note({ code, error }: Result): void {
    const hasFailed = code !== 0;
    if (hasFailed === isFailing) return;
    isFailing = hasFailed;
    // The message of the library only: its error may carry what the collector answered.
    if (hasFailed) log.warn({ reason: error?.message }, 'Traces cannot be sent, and are lost until they can');
    else log.info('Traces can be sent again');
  }

  return {
    timeoutMs,
    export(spans, done) {
      exporter.export(spans, (result) => {
        note(result);
        // The processor has nothing to do about a failure: it would only report it once more, and to its own log.
        done({ code: 0 });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
