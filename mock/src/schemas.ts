import { isMoment } from '@tillhook/openapi/refusals/fields';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The schemas of the contract, each compiled when it is first asked for. */
export interface Schemas {
  /** Of JSON, which has types. The schema stands at this pointer into the contract. */
  ofJson(pointer: string): ValidateFunction;
  /** Of what an address or a header holds, which is text. */
  ofText(schema: AnySchema): ValidateFunction;
}

export const refTo = (pointer: string) => ({ $ref: `contract#${pointer}` });

export function createSchemas(document: object): Schemas {
  const [json, text] = [createAjv(document, false), createAjv(document, true)];
  const compiled = new Map<string, ValidateFunction>();
  return {
    ofJson(pointer) {
      const validate = compiled.get(pointer) ?? json.compile(refTo(pointer));
      compiled.set(pointer, validate);
      return validate;
    },
    ofText: (schema) => text.compile(schema),
  };
}

function createAjv(document: object, coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    validateSchema: false,
    coerceTypes,
    // Every schema is compiled at the start and few are run often: optimising them would cost more than it saves.
    code: { optimize: false },
  });
  addFormats.default(ajv, { mode: 'fast' });
  ajv.addFormat('date-time', isMoment);
  return ajv.addSchema({ ...document, $id: 'contract' });
}
