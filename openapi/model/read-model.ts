import type { Model, ModelWebhook, SecurityScheme, ServerAddress } from './model.ts';
import {
  at,
  entriesOf,
  isOneOf,
  isText,
  itemsOf,
  knowOnly,
  type Place,
  required,
  rootOf,
  type Source,
  wrong,
} from './place.ts';
import { readOperations } from './read-operations.ts';
import { mapOf, type PartReader, partReader, textAt } from './read-parts.ts';

/** Throws a `ContractError` with the line of the first value or key that the model does not support. */
export function readModel(source: Source): Model {
  const root = rootOf(source);
  knowOnly(root, knownKeys);
  const parts = partReader();
  const operations = readOperations(root, parts);
  return {
    ...infoAt(at(root, 'info')),
    servers: itemsOf(at(root, 'servers')).map(serverAt),
    tags: new Map(
      itemsOf(at(root, 'tags')).map((one) => [required(at(one, 'name'), isText), textAt(one, 'description')]),
    ),
    operations,
    operationById: new Map(operations.map((operation) => [operation.id, operation])),
    webhooks: entriesOf(at(root, 'webhooks')).map(([name, item]) => webhookAt(at(item, 'post'), name, parts)),
    ...componentsAt(at(root, 'components'), parts),
    mockExamples: mapOf(at(root, 'x-mock-examples'), (values) => mapOf(values, (one) => required(one, isText))),
    sdkResources: mapOf(at(root, 'x-sdk-resources'), (one) => required(one, isText)),
  };
}

const knownKeys = [
  ...['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'],
  ...['x-mock-examples', 'x-sdk-resources'],
];

function infoAt(place: Place): Pick<Model, 'title' | 'version' | 'summary' | 'description'> {
  return {
    title: textAt(place, 'title'),
    version: textAt(place, 'version'),
    summary: textAt(place, 'summary'),
    description: textAt(place, 'description'),
  };
}

function serverAt(place: Place): ServerAddress {
  const values = mapOf(at(place, 'variables'), (one) => required(at(one, 'default'), isText));
  const url = required(at(place, 'url'), isText).replaceAll(/\{(\w+)\}/g, (_whole, name) => values.get(name) ?? '');
  return { url, description: textAt(place, 'description') };
}

type Components = Pick<Model, 'schemas' | 'parameters' | 'headers' | 'answers' | 'securitySchemes'>;

function componentsAt(place: Place, parts: PartReader): Components {
  knowOnly(place, ['schemas', 'parameters', 'headers', 'responses', 'securitySchemes']);
  return {
    schemas: namedAt(at(place, 'schemas'), parts.schema),
    parameters: namedAt(at(place, 'parameters'), parts.parameter),
    headers: namedAt(at(place, 'headers'), parts.header),
    answers: namedAt(at(place, 'responses'), parts.answer),
    securitySchemes: mapOf(at(place, 'securitySchemes'), securitySchemeAt),
  };
}

/** Reads a component as the target of a `$ref`, so that the component and its references share one object. */
function namedAt<Value>(components: Place, read: (place: Place) => Value): Map<string, Value> {
  return mapOf(components, (place) => read({ ...place, value: { $ref: `#${place.pointer}` } }));
}

function securitySchemeAt(place: Place): SecurityScheme {
  knowOnly(place, ['type', 'in', 'name', 'scheme', 'description', 'x-internal']);
  if (required(at(place, 'type'), isOneOf(['apiKey', 'http'])) === 'http') return { in: 'authorization' };
  return {
    in: required(at(place, 'in'), isOneOf(['header', 'cookie'])),
    name: required(at(place, 'name'), isText),
  };
}

function webhookAt(place: Place, name: string, { parameter, body, answer: readAnswer }: PartReader): ModelWebhook {
  knowOnly(place, [
    'operationId',
    'tags',
    'summary',
    'description',
    'security',
    'parameters',
    'requestBody',
    'responses',
  ]);
  const [answer] = entriesOf(at(place, 'responses'));
  if (!answer) throw wrong(at(place, 'responses'), 'must have a response');
  return {
    // The webhooks of the released contract have no operationId, which lint rules require in the present contract.
    id: textAt(place, 'operationId'),
    name,
    summary: textAt(place, 'summary'),
    description: textAt(place, 'description'),
    headers: itemsOf(at(place, 'parameters')).map(parameter),
    body: body(at(place, 'requestBody')),
    expectedAnswer: readAnswer(answer[1]).description,
  };
}
