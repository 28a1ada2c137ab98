/**
 * Binds the server to the contract. The validator matches the path, asks who is calling, checks the input, and finds the
 * handler by operationId; no path or method of the API stands in the server. Everything that the validator would only
 * discover on a first request (a broken document, a schema that does not compile) is found here, before listening.
 */
import { type Contract, type ContractDocument, ContractError, operationsOf } from '@tillhook/openapi';
import { checkSchemas } from '@tillhook/openapi/check-schemas';
import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { isMoment } from '../kit/moment.ts';
import type { Operations } from '../operation/operation.ts';
import type { RateLimits } from '../operation/rate-limits.ts';
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
export function contractMiddleware({ document, isChecked }: Contract, options: ContractOptions): RequestHandler[] {
  const handlers = new Map(
    operationsOf(document).map((operation) => [
      `${operation.method} ${operation.path}`,
      operationHandler(options.operations[operation.id] as never, operation, { document, limits: options.limits }),
    ]),
  );
  const validate = OpenApiValidator.middleware({
    apiSpec: documentForValidator(document) as never,
    validateApiSpec: !isChecked,
    // Unknown query parameters are found by us: the validator would report the first alone.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: options.validateResponses,
    formats: { 'date-time': isMoment },
    validateSecurity: { handlers: securityHandlers(options.limits) as never },
    fileUploader: false,
    operationHandlers: {
      basePath: '',
      resolver: (_path, { method, openApiRoute }: BoundRoute) =>
        handlers.get(`${method.toLowerCase()} ${openApiRoute}`),
    },
  });
  return [notStored, headAsGet, hideFromValidator, ...(validate as RequestHandler[])];
}

/**
 * A copy, because the validator rewrites what it is given. It walks through all of it for each answer that it compiles, so the
 * copy has no examples, and all failures of an operation, which have one body, are one answer. In it every query parameter may be empty or hold reserved
 * characters: else the validator reports that alone, before it has looked at the schemas, which refuse it as well.
 */
function documentForValidator(document: ContractDocument): ContractDocument {
  const copy = withoutExamples(document) as ContractDocument;
  for (const { definition } of operationsOf(copy)) definition.responses = withOneFailure(definition.responses);
  for (const parameter of [...parametersIn(copy.paths), ...parametersIn(copy.components.parameters)]) {
    if (parameter.in === 'query') Object.assign(parameter, { allowReserved: true, allowEmptyValue: true });
  }
  return copy;
}

function withoutExamples(node: unknown): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map(withoutExamples);
  const kept = Object.entries(node).filter(([key]) => key !== 'examples' && key !== 'example');
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutExamples(child)]));
}

function withOneFailure(responses: ContractDocument): ContractDocument {
  const isFailure = ([status]: [string, unknown]) => status >= '400';
  const all = Object.entries(responses);
  const [, failure] = all.find(isFailure) ?? [];
  return { ...Object.fromEntries(all.filter((response) => !isFailure(response))), default: failure };
}

function* parametersIn(node: unknown): Generator<ContractDocument> {
  if (node === null || typeof node !== 'object') return;
  if ('in' in node && 'name' in node) yield node;
  else for (const child of Object.values(node)) yield* parametersIn(child);
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
  const { document, lineOf } = contract;
  for (const { id, path, method } of operationsOf(document)) {
    // The compiler proves that each generated operation has a handler; a yaml newer than its types is caught here.
    if (!(id in operations)) {
      throw new ContractError(
        `openapi.yaml:${lineOf(['paths', path, method])}: no handler for ${id}; run npm run generate`,
      );
    }
  }
  for (const { id, path, method, definition } of operationsOf(document)) {
    const schemes = (definition.security ?? document.security).flatMap(Object.keys);
    if (!schemes.includes('dashboardSession') || definition['x-allowed-roles']) continue;
    throw new ContractError(`openapi.yaml:${lineOf(['paths', path, method])}: ${id} names no x-allowed-roles`);
  }
  if (!contract.isChecked) checkSchemas(contract);
}
