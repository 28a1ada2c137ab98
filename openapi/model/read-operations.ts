import { deprecationAt, deprecationKeys } from './deprecation.ts';
import { type Method, type ModelOperation, methods, type SchemeName, schemeNames } from './model.ts';
import {
  at,
  entriesOf,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isText,
  isValueOf,
  itemsOf,
  knowOnly,
  optional,
  type Place,
  required,
  wrong,
} from './place.ts';
import { type PartReader, textAt } from './read-parts.ts';

export function readOperations(root: Place, parts: PartReader): ModelOperation[] {
  return entriesOf(at(root, 'paths')).flatMap(([path, item]) => {
    knowOnly(item, ['parameters', ...methods]);
    const present = methods.filter((method) => at(item, method).value !== undefined);
    const sharedParameters = at(item, 'parameters');
    const defaultSecurity = at(root, 'security');
    return present.map((method) =>
      operationAt(at(item, method), { path, method, sharedParameters, defaultSecurity, parts }),
    );
  });
}

interface OperationContext {
  path: string;
  method: Method;
  sharedParameters: Place;
  defaultSecurity: Place;
  parts: PartReader;
}

function operationAt(place: Place, context: OperationContext): ModelOperation {
  const { path, method, sharedParameters, defaultSecurity, parts } = context;
  knowOnly(place, knownKeys);
  const security = at(place, 'security');
  const body = at(place, 'requestBody');
  const { source } = place;
  return {
    // The cast is correct, because the type lists the operationIds of the same document.
    id: required(at(place, 'operationId'), isText) as ModelOperation['id'],
    method,
    path,
    tag: required(at(place, 'tags'), isListOf(isText))[0] ?? '',
    summary: textAt(place, 'summary'),
    description: textAt(place, 'description'),
    security: alternativesAt(security.value === undefined ? defaultSecurity : security),
    scope: optional(at(place, 'x-required-scope'), isValueOf(source, 'Scope'), null),
    roles: optional(at(place, 'x-allowed-roles'), isListOf(isValueOf(source, 'UserRole')), []),
    isBeforeTwoStep: optional(at(place, 'x-before-two-step'), isFlag, false),
    deprecation: deprecationAt(place),
    sdkMethod: optional(at(place, 'x-sdk-method'), isText, null),
    bodyLimit: optional(at(place, 'x-body-limit'), isNumber, null),
    isInternal: optional(at(place, 'x-internal'), isFlag, false),
    parameters: [...itemsOf(sharedParameters), ...itemsOf(at(place, 'parameters'))].map(parts.parameter),
    body: body.value === undefined ? null : parts.body(body),
    ...answersAt(at(place, 'responses'), parts),
  };
}

const knownKeys = [
  ...['operationId', 'tags', 'summary', 'description', 'security', 'parameters', 'requestBody', 'responses'],
  ...deprecationKeys,
  ...['x-required-scope', 'x-allowed-roles', 'x-before-two-step', 'x-sdk-method', 'x-body-limit', 'x-internal'],
];

function alternativesAt(place: Place): SchemeName[][] {
  return itemsOf(place).map((alternative) =>
    entriesOf(alternative).map(([name, scopes]) => required({ ...scopes, value: name }, isOneOf(schemeNames))),
  );
}

function answersAt(
  place: Place,
  { answer }: PartReader,
): Pick<ModelOperation, 'answers' | 'success' | 'successStatus'> {
  const answers = new Map(entriesOf(place).map(([status, one]) => [Number(status), answer(one)]));
  const [success, ...others] = [...answers].filter(([status]) => status >= 200 && status < 300);
  if (!success || others.length > 0) throw wrong(place, 'must have exactly one success');
  return { answers, successStatus: success[0], success: success[1] };
}
