import type { Model, ModelOperation } from '@tillhook/openapi';
import { curlSample, sdkSample } from './call-sample.ts';
import { pythonSample } from './python-sample.ts';

/**
 * The call of an operation in each language, as Markdown. The portal shows them as tabs.
 * See docs/decisions/docs.md, "Samples are in the languages whose programs the tests run".
 */
export function callSamples(model: Model, operation: ModelOperation, publicUrl: string): string {
  const sdk = sdkSample(operation);
  const programs = [
    fence('sh curl', curlSample(model, operation, publicUrl)),
    sdk && fence('ts TypeScript', sdk),
    fence('python Python', pythonSample(model, operation, publicUrl)),
  ];
  return programs.filter(Boolean).join('\n\n');
}

function fence(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}
