import { z } from 'zod';
import { address, fraction, headers, sampler } from './setting-values.ts';

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address({
    example: 'http://collector.example.com:4318',
    schemes: ['http', 'https'],
    may: ['path'],
  }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.default({}),
  OTEL_TRACES_SAMPLER: sampler.default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: fraction.default(1),
  OTEL_SERVICE_NAME: z.string().min(1).default('tillhook'),
};

export function tracingOf(given: z.infer<z.ZodObject<typeof tracingSettings>>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = given;
  if (!endpoint) return null;
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS,
    sampler: given.OTEL_TRACES_SAMPLER,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
    serviceName: given.OTEL_SERVICE_NAME,
  };
}
