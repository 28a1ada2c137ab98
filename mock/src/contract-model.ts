/** The contract as the mock works with it: each operation with its references followed, and the pointers to its schemas. */
import { type ContractDocument, type ContractOperation, follow, operationsOf } from '@tillhook/openapi';

export type Examples = Map<string, unknown>;

export interface MockOperation extends Pick<ContractOperation, 'id' | 'method' | 'path'> {
  /** Each way to be let in, by the names of its security schemes; none where anybody may call. */
  security: string[][];
  parameters: MockParameter[];
  body?: Content & { required: boolean };
  /** By status. */
  responses: Map<number, Content>;
  success: number;
}

export interface MockParameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required: boolean;
  /** Where its schema stands, as a JSON pointer into the contract. */
  pointer: string;
  schema: ContractDocument;
  examples: Examples;
}

/** A body of JSON, or none. */
export interface Content {
  pointer?: string;
  schema?: ContractDocument;
  examples: Examples;
  /** The headers that only some answers of this status have. */
  optionalHeaders: ContractDocument;
}

export function mockOperationsOf(document: ContractDocument): MockOperation[] {
  return operationsOf(document).map(({ id, method, path, definition }) => {
    const own = pointerTo(['paths', path, method]);
    const responses = new Map(
      Object.entries<ContractDocument>(definition.responses).map(([status, response]) => [
        Number(status),
        contentOf(document, response, `${own}/responses/${status}`),
      ]),
    );
    const body = definition.requestBody;
    return {
      id,
      method,
      path,
      security: (definition.security ?? document.security).map(Object.keys),
      parameters: (definition.parameters ?? []).map((parameter: ContractDocument, index: number) =>
        parameterOf(document, parameter, `${own}/parameters/${index}`),
      ),
      ...(body && {
        body: { ...contentOf(document, body, `${own}/requestBody`), required: body.required === true },
      }),
      responses,
      success: [...responses.keys()].find((status) => status >= 200 && status < 300) ?? 200,
    };
  });
}

/** The body of a webhook that the service sends. */
export function webhookBodyOf(document: ContractDocument, event: string): Content {
  const own = pointerTo(['webhooks', event, 'post', 'requestBody']);
  return contentOf(document, document.webhooks[event].post.requestBody, own);
}

function parameterOf(document: ContractDocument, parameter: ContractDocument, own: string): MockParameter {
  const found = follow(document, parameter);
  return {
    name: found.name,
    in: found.in,
    required: found.required === true,
    pointer: `${parameter.$ref?.slice(1) ?? own}/schema`,
    schema: follow(document, found.schema),
    examples: new Map([['basic', found.example], ...Object.entries(document['x-mock-examples']?.[found.name] ?? {})]),
  };
}

function contentOf(document: ContractDocument, message: ContractDocument, own: string): Content {
  const found = follow(document, message);
  const optionalHeaders = Object.fromEntries(
    Object.entries<ContractDocument>(found.headers ?? {})
      .map(([name, header]) => [name, follow(document, header)] as const)
      .filter(([, header]) => header.required !== true),
  );
  const json = found.content?.['application/json'];
  if (!json) return { examples: new Map(), optionalHeaders };
  const pointer = `${message.$ref?.slice(1) ?? own}/content/${escaped('application/json')}/schema`;
  return { pointer, schema: follow(document, json.schema), examples: examplesIn(json), optionalHeaders };
}

function examplesIn({ examples = {} }: ContractDocument): Examples {
  return new Map(Object.entries<ContractDocument>(examples).map(([name, { value }]) => [name, value]));
}

function pointerTo(keys: readonly string[]): string {
  return keys.map((key) => `/${escaped(key)}`).join('');
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
