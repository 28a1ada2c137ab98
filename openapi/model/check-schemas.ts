import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { ContractError, isRecord, type Source } from './place.ts';

/** Throws a `ContractError` with the line of the first schema that breaks the JSON Schema meta-schema. */
export function checkSchemas({ document, lineOf }: Source): void {
  const ajv = new Ajv2020({ strict: false });
  for (const { path, schema } of schemasIn(document)) {
    const fault = ajv.validateSchema(schema) ? brokenPattern(schema) : ajv.errors?.[0];
    if (!fault) continue;
    const at = [...path, ...fault.instancePath.split('/').slice(1)];
    throw new ContractError(`${lineOf(at)}: ${at.at(-1)} ${fault.message}`);
  }
}

function* schemasIn(node: unknown, path: string[] = []): Generator<{ path: string[]; schema: AnySchema }> {
  if (!isRecord(node)) return;
  for (const [key, child] of Object.entries(node)) {
    const here = [...path, key];
    if (key === 'example' || key === 'examples') continue;
    if (key === 'schema' || path.join('/') === 'components/schemas') yield { path: here, schema: child as AnySchema };
    else yield* schemasIn(child, here);
  }
}

/** The meta-schema accepts any string as a pattern, even if it is not a regular expression. */
function brokenPattern(node: unknown, path = ''): { instancePath: string; message: string } | undefined {
  if (node === null || typeof node !== 'object') return undefined;
  for (const [key, child] of Object.entries(node)) {
    const here = `${path}/${key}`;
    const fault =
      key === 'pattern' && typeof child === 'string' ? patternFault(child, here) : brokenPattern(child, here);
    if (fault) return fault;
  }
  return undefined;
}

function patternFault(pattern: string, instancePath: string) {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return { instancePath, message: (error as Error).message };
  }
}
