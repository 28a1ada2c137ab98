import type { Model, ModelOperation } from '@tillhook/openapi';

/** What the validator notes on a request, once it has found the operation: a copy of what the document says of it. */
interface Noted {
  openapi?: { schema?: { operationId?: string } };
}

/** The operation that a request asks for. Undefined where the validator found none, as for a page. */
export function askedOperation(request: object, { operationById }: Model): ModelOperation | undefined {
  return operationById.get(askedOperationId(request) ?? '');
}

/** The same, by its name alone. */
export function askedOperationId(request: object): string | undefined {
  return (request as Noted).openapi?.schema?.operationId;
}
