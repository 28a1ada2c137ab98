/**
 * Binds the server to the contract. The validator matches the path and checks the input; in between, `security.ts`
 * authenticates the caller. The operationId binds each handler to its route, so the code of the server has no path and
 * no method of the API. `compileContract` finds a broken document before the server listens. Otherwise the first
 * request would fail.
 */
import { type Contract, ContractError, closed, type Model } from '@tillhook/openapi';
import { checkSchemas } from '@tillhook/openapi/model/check-schemas';
import { emailProblem, isMoment } from '@tillhook/openapi/rules/fields';
import type { Request, RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Config } from '../config/config.ts';
import type { Operations } from '../operation/operation.ts';
import type { RateLimits } from '../operation/rate-limits.ts';
import { calledOperationId, pathParamsOf } from './called-operation.ts';
import { csv, notePreferredType } from './csv-answer.ts';
import type { KnownCredentials } from './known-credentials.ts';
import { knownRoutes, lookUpStep } from './known-routes.ts';
import { operationHandler } from './operation-handler.ts';
import { authenticate } from './security.ts';
import { shortenRequests } from './validation-error.ts';

interface ContractOptions {
  operations: Operations;
  answerCheck: Config['answerCheck'];
  limits: RateLimits;
  known: KnownCredentials;
}

/** The middleware that answers every operation of the contract. Call `compileContract` first. */
export function contractMiddleware(
  contract: Contract,
  { operations, answerCheck, limits, known }: ContractOptions,
): RequestHandler[] {
  const { model } = contract;
  const validate = validatorOf(contract, answerCheck);
  // Without this step of the validator, no caller would be authenticated.
  if (!validate.some(({ name }) => name === lookUpStep)) throw new Error(`The validator has no step ${lookUpStep}.`);
  const beforeCheck = [shortenRequests(model), authenticate(model, { operations, limits, known })];
  return [
    forbidCaching,
    headAsGet,
    notePreferredType,
    hideFromValidator,
    ...validate.flatMap((step) => (step.name === lookUpStep ? [knownRoutes(step, model), ...beforeCheck] : step)),
    callOperation(model, { operations, limits }),
  ];
}

type Validators = Partial<Record<Config['answerCheck'], RequestHandler[]>>;
const validatorsOf = new WeakMap<Contract, Validators>();

/**
 * The steps of the validator. Servers of one process share them, because compiling these steps takes a quarter of a
 * second.
 */
function validatorOf(contract: Contract, answerCheck: Config['answerCheck']): RequestHandler[] {
  const made = validatorsOf.get(contract) ?? {};
  validatorsOf.set(contract, made);
  made[answerCheck] ??= createValidator(contract, answerCheck);
  return made[answerCheck];
}

function createValidator({ document, isChecked }: Contract, answerCheck: Config['answerCheck']): RequestHandler[] {
  return OpenApiValidator.middleware({
    // Answers are checked only in tests and in development. With this check, an answer may have only documented
    // fields.
    apiSpec: documentForValidator(answerCheck === 'off' ? document : closed(document)) as never,
    validateApiSpec: !isChecked,
    // `validation-error.ts` finds unknown query parameters, because the validator would report only the first unknown
    // parameter.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: answerCheck === 'log' ? { onError: logAnswer } : answerCheck === 'fail',
    // The formats of integers are not checked, because `minimum` and `maximum` have the same limits. So a wrong number
    // is one problem and not two.
    formats: {
      'date-time': isMoment,
      'idn-email': (text: string) => emailProblem(text) === null,
      int32: true,
      int64: true,
    },
    // `security.ts` authenticates callers, because the validator would keep only the status code of an error.
    validateSecurity: false,
    fileUploader: false,
  }) as never;
}

/** Logs an answer that differs from the contract. The answer is sent anyway. See `answerCheckOf` in `config.ts`. */
function logAnswer(error: Error, _body: unknown, { context }: Request): void {
  context.log.error({ err: error }, 'An answer differs from the contract');
}

/** The last step: calls the handler of the operation, for a request that the validator has found to be valid. */
function callOperation({ operations }: Model, given: Pick<ContractOptions, 'operations' | 'limits'>): RequestHandler {
  const handlers = new Map<string | undefined, RequestHandler>(
    operations.map((operation) => [
      operation.id,
      operationHandler(given.operations[operation.id] as never, operation, given.limits),
    ]),
  );
  return (request, response, next) => {
    const handle = handlers.get(calledOperationId(request));
    if (!handle) return next();
    // Sets the parameters again, because Express empties them before each step.
    request.params = pathParamsOf(request);
    return handle(request, response, next);
  };
}

/** The answer of an operation belongs to its caller, so no cache may store it. */
const forbidCaching: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** A HEAD request is handled like GET. Node.js itself removes the body from the answer to a HEAD request. */
const headAsGet: RequestHandler = (request, _response, next) => {
  request.isHead = request.method === 'HEAD';
  if (request.isHead) request.method = 'GET';
  next();
};

/**
 * Hides two inputs from the validator. These inputs do not change its result, but processing them takes a time that
 * grows with the square of their length. The first input is `Accept`, which the validator searches when it checks
 * an answer, although every answer that it checks is JSON. The second input is the query parameters whose names have
 * brackets: the validator makes objects of them, although all such parameters are refused as unknown.
 */
const hideFromValidator: RequestHandler = (request, _response, next) => {
  delete request.headers.accept;
  const { query } = request;
  request.queryNames = Object.keys(query);
  const named = Object.entries(query).filter(([name]) => !name.includes('['));
  Object.defineProperty(request, 'query', { value: Object.fromEntries(named), configurable: true, writable: true });
  next();
};

/**
 * The combinations of credentials that `security.ts` checks: a key in one of two headers, or a session together with
 * its mode.
 */
const knownAlternatives = ['apiKeyHeader', 'bearerAuth', 'dashboardSession,serviceMode'];

/**
 * Checks that every operation has a handler, and checks every schema of a document that `npm run generate` has not
 * checked. Throws a `ContractError` with the line of the first mistake.
 */
export function compileContract(contract: Contract, operations: Operations): void {
  if (!contract.isChecked) checkSchemas(contract);
  for (const { id, path, method, security, roles } of contract.model.operations) {
    const line = () => contract.lineOf(['paths', path, method]);
    // The compiler proves that each generated operation has a handler. This check finds an `openapi.yaml` that is
    // newer than the generated types.
    if (!(id in operations)) throw new ContractError(`${line()}: no handler for ${id}; run npm run generate`);
    for (const alternative of security.map(String).filter((one) => !knownAlternatives.includes(one))) {
      const at = contract.lineOf(['paths', path, method, 'security']);
      throw new ContractError(`${at}: ${id} requires ${alternative || 'nothing'}, which security.ts never checks`);
    }
    if (security.flat().includes('dashboardSession') && roles.length === 0) {
      throw new ContractError(`${line()}: ${id} takes a session, but has no x-allowed-roles`);
    }
  }
}

/**
 * Copies the contract's document for the validator, because the validator rewrites its document. The validator walks
 * through the whole document for each answer that it compiles. So the copy has no examples and no CSV answers, which
 * the validator never sees. The copy has one answer for all failures of an operation, because all failures have the
 * same body. In the copy, every query parameter may be empty or contain reserved characters. Otherwise the validator
 * would report such a value and no other problem of the request. The schemas refuse such values anyway.
 *
 * In the copy, the schemas are not at `components.schemas`, where the validator would compile all schemas before the
 * first request. At any other place, the validator compiles a schema when an operation that needs it is first called.
 */
function documentForValidator(document: object): object {
  const copy = copied(document, []) as { components: { schemas: Record<string, unknown> } };
  const { schemas, ...components } = copy.components;
  inlineInParameters(copy, schemas);
  return { ...copy, components: { ...components, [otherName]: schemas } };
}

const otherName = 'x-schemas';
/**
 * The keys that the copy does not have. `discriminator` only repeats `oneOf`, and the validator would compile its
 * schemas before the first request.
 */
const leftOut = new Set(['examples', 'example', 'discriminator', csv]);

function copied(node: unknown, path: readonly string[]): unknown {
  if (typeof node === 'string' && path.at(-1) === '$ref') return node.replace('/schemas/', `/${otherName}/`);
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((item, index) => copied(item, [...path, String(index)]));
  const kept = Object.entries(node).filter(([key]) => !leftOut.has(key));
  const children = isResponses(path) ? withOneFailure(kept) : kept;
  const copy = Object.fromEntries(children.map(([key, child]) => [key, copied(child, [...path, key])]));
  return isQueryParameter(copy, path) ? { ...copy, allowReserved: true, allowEmptyValue: true } : copy;
}

/**
 * Replaces each reference in a parameter by the schema itself, because the validator does not follow references from
 * parameters to `x-schemas`.
 */
function inlineInParameters(node: unknown, schemas: Record<string, unknown>): void {
  if (node === null || typeof node !== 'object') return;
  if ('in' in node && 'schema' in node) {
    const { $ref = '' } = node.schema as { $ref?: string };
    node.schema = schemas[$ref.split(`/${otherName}/`)[1] ?? ''] ?? node.schema;
  }
  for (const child of Object.values(node)) inlineInParameters(child, schemas);
}

type Entry = [key: string, child: unknown];

/** Whether the path leads to the responses of an operation: `paths/…/post/responses`. */
function isResponses([root, _path, _method, part, ...rest]: readonly string[]): boolean {
  return root === 'paths' && part === 'responses' && rest.length === 0;
}

function withOneFailure(responses: Entry[]): Entry[] {
  const isFailure = ([status]: Entry) => status >= '400';
  const [failure] = responses.filter(isFailure);
  const others = responses.filter((response) => !isFailure(response));
  return failure ? [...others, ['default', failure[1]]] : others;
}

function isQueryParameter(node: object, path: readonly string[]): boolean {
  const isParameter = path.at(-2) === 'parameters';
  return isParameter && 'in' in node && node.in === 'query' && 'name' in node;
}
