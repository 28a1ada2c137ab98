import type { Model, ModelOperation } from '@tillhook/openapi';

interface ValidatedRequest {
  openapi?: { schema?: { operationId?: string }; openApiRoute?: string; pathParams?: Record<string, string> };
}

export function calledOperation(request: object, { operationById }: Model): ModelOperation | undefined {
  return operationById.get(calledOperationId(request) ?? '');
}

export function calledOperationId(request: object): string | undefined {
  return (request as ValidatedRequest).openapi?.schema?.operationId;
}

/** The path of the called operation in the contract, such as `/api/v1/transfers/{reference}`. */
export function calledRoute(request: object): string | undefined {
  return (request as ValidatedRequest).openapi?.openApiRoute;
}

export function pathParamsOf(request: object): Record<string, string> {
  return (request as ValidatedRequest).openapi?.pathParams ?? {};
}
