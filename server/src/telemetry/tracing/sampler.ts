import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerName } from '../../config/setting-values.ts';

/** The samplers by their standard names. One that is `parentbased` follows the caller's decision where there is one. */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const [, root = name] = /^parentbased_(.+)$/.exec(name) ?? [];
  const sampler = rootSampler(root, ratio);
  return root === name ? sampler : new ParentBasedSampler({ root: sampler });
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
