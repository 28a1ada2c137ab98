import { parse } from 'node:url';
import { type Contract, ContractError, closeSchemas, type Model } from '@tillhook/openapi';
import { checkSchemas } from '@tillhook/openapi/model/check-schemas';
import { emailProblem, isMoment } from '@tillhook/openapi/rules/fields';
import type { Request, RequestHandler } from 'express';
import type { OpenAPIFramework } from 'express-openapi-validator/dist/framework/index.js';
import { OpenApiSpecLoader, type Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
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

export function contractMiddleware(
  contract: Contract,
  { operations, answerCheck, limits, known }: ContractOptions,
): RequestHandler[] {
  const { model } = contract;
  const validate = validatorOf(contract, answerCheck);
  // Without this middleware, no caller would be authenticated.
  if (!validate.some(({ name }) => name === lookUpStep))
    throw new Error(`The validator has no middleware named ${lookUpStep}.`);
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

/** The servers of one process share the validator's middleware, because making it takes a quarter of a second. */
function validatorOf(contract: Contract, answerCheck: Config['answerCheck']): RequestHandler[] {
  const made = validatorsOf.get(contract) ?? {};
  validatorsOf.set(contract, made);
  made[answerCheck] ??= createValidator(contract, answerCheck);
  return made[answerCheck];
}

function createValidator({ document, isChecked }: Contract, answerCheck: Config['answerCheck']): RequestHandler[] {
  useUpWarning();
  // Answers are checked only in tests and in development. An undocumented field of an answer is then an error.
  const apiSpec = documentForValidator(answerCheck === 'off' ? document : closeSchemas(document));
  const validator = new OpenApiValidator({
    apiSpec: apiSpec as never,
    // The validator would report only the first unknown query parameter, so `validation-error.ts` finds all of them.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: answerCheck === 'log' ? { onError: logAnswer } : answerCheck === 'fail',
    // The formats `int32` and `int64` accept every number, because `minimum` and `maximum` already limit it.
    formats: {
      'date-time': isMoment,
      'idn-email': (text: string) => emailProblem(text) === null,
      int32: true,
      int64: true,
    },
    // `security.ts` authenticates callers: the validator would keep only the status code of an error.
    validateSecurity: false,
    fileUploader: false,
  });
  return validator.installMiddleware(loadDocument(apiSpec as Spec['apiDoc'], isChecked)) as never;
}

/**
 * `npm run generate` has checked a document and made one file of it. The library would do both again, and compile the
 * schema of OpenAPI for it, which takes a tenth of the whole start.
 */
function loadDocument(apiDoc: Spec['apiDoc'], isChecked: boolean): Promise<Spec> {
  const loader = new OpenApiSpecLoader({ apiDoc, validateApiSpec: true });
  if (!isChecked) return loader.load();
  const found = { apiDoc, basePaths: ['/'] };
  const framework: Pick<OpenAPIFramework, 'initialize'> = {
    async initialize({ visitApi }) {
      visitApi?.({ basePaths: found.basePaths, getApiDoc: () => apiDoc });
      return found;
    },
  };
  Object.defineProperty(loader, 'framework', { value: framework });
  return loader.load();
}

/**
 * The validator calls `url.parse` for each request. Until Node has warned about `url.parse` once, it searches the stack
 * of each call for code outside `node_modules`, which takes half of the time of the validation.
 */
function useUpWarning(): void {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  parse('');
  process.noDeprecation = noDeprecation;
}

function logAnswer(error: Error, _body: unknown, { context }: Request): void {
  context.log.error({ err: error }, 'An answer differs from the contract');
}

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
    // Express empties `params` before each middleware, so the parameters are set again.
    request.params = pathParamsOf(request);
    return handle(request, response, next);
  };
}

/** The answer of an operation belongs to its caller, so no cache may store it. */
const forbidCaching: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** Node itself removes the body from the answer to a HEAD request. */
const headAsGet: RequestHandler = (request, _response, next) => {
  request.isHead = request.method === 'HEAD';
  if (request.isHead) request.method = 'GET';
  next();
};

/**
 * Removes `Accept`, and query parameters with brackets in their names. They do not change the validator's result, but
 * its time grows with the square of their length.
 */
const hideFromValidator: RequestHandler = (request, _response, next) => {
  delete request.headers.accept;
  const query = request.url.includes('?') ? request.query : {};
  request.queryNames = Object.keys(query);
  const named = Object.entries(query).filter(([name]) => !name.includes('['));
  Object.defineProperty(request, 'query', { value: Object.fromEntries(named), configurable: true, writable: true });
  next();
};

const knownAlternatives = ['apiKeyHeader', 'bearerAuth', 'dashboardSession,serviceMode'];

export function compileContract(contract: Contract, operations: Operations): void {
  if (!contract.isChecked) checkSchemas(contract);
  for (const { id, path, method, security, roles } of contract.model.operations) {
    const line = () => contract.lineOf(['paths', path, method]);
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
 * The validator rewrites its document, and walks through the whole document for each response that it compiles. So it
 * gets a copy without examples and with one response for all failures. In the copy, the schemas are not at
 * `components.schemas`, where the validator would compile all of them before the first request.
 */
function documentForValidator(document: object): object {
  const copy = copied(document, []) as { components: { schemas: Record<string, unknown> } };
  const { schemas, ...components } = copy.components;
  inlineInParameters(copy, schemas);
  return { ...copy, components: { ...components, [otherName]: schemas } };
}

const otherName = 'x-schemas';
/** `discriminator` only repeats `oneOf`, and the validator would compile its schemas before the first request. */
const leftOut = new Set(['examples', 'example', 'discriminator', csv]);

function copied(node: unknown, path: readonly string[]): unknown {
  if (typeof node === 'string' && path.at(-1) === '$ref') return node.replace('/schemas/', `/${otherName}/`);
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((item, index) => copied(item, [...path, String(index)]));
  const kept = Object.entries(node).filter(([key]) => !leftOut.has(key));
  const children = isResponses(path) ? withOneFailure(kept) : kept;
  const copy = Object.fromEntries(children.map(([key, child]) => [key, copied(child, [...path, key])]));
  // Otherwise the validator would report an empty value or a reserved character, and no other problem of the request.
  return isQueryParameter(copy, path) ? { ...copy, allowReserved: true, allowEmptyValue: true } : copy;
}

/** Inlines the schemas of parameters, because the validator does not follow references to `x-schemas` there. */
function inlineInParameters(node: unknown, schemas: Record<string, unknown>): void {
  if (node === null || typeof node !== 'object') return;
  if ('in' in node && 'schema' in node) {
    const { $ref = '' } = node.schema as { $ref?: string };
    node.schema = schemas[$ref.split(`/${otherName}/`)[1] ?? ''] ?? node.schema;
  }
  for (const child of Object.values(node)) inlineInParameters(child, schemas);
}

type Entry = [key: string, child: unknown];

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
