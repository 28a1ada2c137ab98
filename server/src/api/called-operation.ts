import type { Model, ModelOperation } from '@tillhook/openapi';

/**
 * The field that the validator adds to a request once it has found the operation: a copy of the operation in the
 * contract.
 */
interface ValidatedRequest {
  openapi?: { schema?: { operationId?: string }; openApiRoute?: string; pathParams?: Record<string, string> };
}

/** The operation that a request calls. Undefined when the validator found no operation, for example for a page. */
export function calledOperation(request: object, { operationById }: Model): ModelOperation | undefined {
  return operationById.get(calledOperationId(request) ?? '');
}

/** The id of the operation that a request calls. */
export function calledOperationId(request: object): string | undefined {
  return (request as ValidatedRequest).openapi?.schema?.operationId;
}

/**
 * The path of the called operation in the contract, with the names of its parameters, such as
 * `/api/v1/transfers/{reference}`.
 */
export function calledRoute(request: object): string | undefined {
  return (request as ValidatedRequest).openapi?.openApiRoute;
}

/** The decoded values of the parameters in the path of a request, by their names. */
export function pathParamsOf(request: object): Record<string, string> {
  return (request as ValidatedRequest).openapi?.pathParams ?? {};
}
