import { closeSchemas } from '@tillhook/openapi';
import { emailProblem, isMoment } from '@tillhook/openapi/rules/fields';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The validators reject undocumented fields in answers and events too, so that the mock sends none. */
export interface Schemas {
  /** Returns the validator of a JSON value. `pointer` is the JSON pointer of the schema in the contract. */
  ofJson(pointer: string): ValidateFunction;
  /** Returns a validator for the text of a path, query or header, which converts the text to the type of the schema. */
  ofText(schema: AnySchema): ValidateFunction;
}

export const refTo = (pointer: string) => ({ $ref: `contract#${pointer}` });

export function createSchemas(document: object): Schemas {
  const whole = closeSchemas(document);
  const [json, text] = [createAjv(whole, false), createAjv(whole, true)];
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
    // The code of validators is not optimised, because many schemas are compiled and few validators run often.
    code: { optimize: false },
  });
  addFormats.default(ajv, { mode: 'fast' });
  ajv.addFormat('date-time', isMoment);
  ajv.addFormat('idn-email', (text: string) => emailProblem(text) === null);
  // The formats `int32` and `int64` are not checked, because `minimum` and `maximum` already report invalid numbers.
  for (const name of ['int32', 'int64']) ajv.addFormat(name, true);
  return ajv.addSchema({ ...document, $id: 'contract' });
}
