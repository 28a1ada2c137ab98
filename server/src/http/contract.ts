/**
 * Binds the server to the contract. The validator matches the path, asks who is calling, checks the input, and finds the
 * handler by operationId; no path or method of the API stands in the server. Everything that the validator would only
 * discover on a first request (a broken document, a schema that does not compile) is found here, before listening.
 */
import { type Contract, ContractError } from '@tillhook/openapi';
import { checkSchemas } from '@tillhook/openapi/check-schemas';
import { isMoment } from '@tillhook/openapi/refusals/fields';
import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Operations } from '../operation/operation.ts';
import type { RateLimits } from '../operation/rate-limits.ts';
import { documentForValidator } from './document-for-validator.ts';
import { operationHandler } from './operation-handler.ts';
import { securityHandlers } from './security.ts';

interface BoundRoute {
  openApiRoute: string;
  method: string;
}

interface ContractOptions {
  operations: Operations;
  validateResponses: boolean;
  limits: RateLimits;
}

/** The middleware that answers every operation of a contract that was compiled. */
export function contractMiddleware(
  { document, model, isChecked }: Contract,
  { operations, validateResponses, limits }: ContractOptions,
): RequestHandler[] {
  const handlers = new Map(
    model.operations.map((operation) => [
      `${operation.method} ${operation.path}`,
      operationHandler(operations[operation.id] as never, operation, limits),
    ]),
  );
  const validate = OpenApiValidator.middleware({
    apiSpec: documentForValidator(document) as never,
    validateApiSpec: !isChecked,
    // Unknown query parameters are found by us: the validator would report the first alone.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses,
    formats: { 'date-time': isMoment },
    validateSecurity: { handlers: securityHandlers(model, limits) as never },
    fileUploader: false,
    operationHandlers: {
      basePath: '',
      resolver: (_path, { method, openApiRoute }: BoundRoute) =>
        handlers.get(`${method.toLowerCase()} ${openApiRoute}`),
    },
  });
  return [notStored, headAsGet, hideFromValidator, ...(validate as RequestHandler[])];
}

/** What an operation answers is one caller's own. */
const notStored: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** HEAD answers as GET; Node leaves the body out of an answer to HEAD by itself. */
const headAsGet: RequestHandler = (request, _response, next) => {
  if (request.method === 'HEAD') request.method = 'GET';
  next();
};

/**
 * Removes what costs the validator time that grows with the square of its length, and changes nothing: it searches `Accept`
 * when it checks an answer, although all answers are JSON, and it makes objects of query parameters whose names have brackets,
 * although all of these are refused as unknown.
 */
const hideFromValidator: RequestHandler = (request, _response, next) => {
  delete request.headers.accept;
  const named = Object.entries(request.query).filter(([name]) => !name.includes('['));
  Object.defineProperty(request, 'query', { value: Object.fromEntries(named), configurable: true, writable: true });
  next();
};

/**
 * Looks for every operation's handler, and checks every schema of a document that `npm run generate` has not checked. Throws a
 * `ContractError` with the line of the first that is wrong.
 */
export function compileContract(contract: Contract, operations: Operations): void {
  if (!contract.isChecked) checkSchemas(contract);
  for (const { id, path, method, security, roles } of contract.model.operations) {
    const line = () => `openapi.yaml:${contract.lineOf(['paths', path, method])}`;
    // The compiler proves that each generated operation has a handler; a yaml newer than its types is caught here.
    if (!(id in operations)) throw new ContractError(`${line()}: no handler for ${id}; run npm run generate`);
    if (security.flat().includes('dashboardSession') && roles.length === 0) {
      throw new ContractError(`${line()}: ${id} names no x-allowed-roles`);
    }
  }
}
