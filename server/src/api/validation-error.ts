import type { Model, ModelOperation } from '@tillhook/openapi';
import { allProblems } from '@tillhook/openapi/rules/beyond-schemas';
import { addressRules } from '@tillhook/openapi/rules/fields';
import { unstorableStrings } from '@tillhook/openapi/rules/json-body';
import { type Problem, validationErrorOf } from '@tillhook/openapi/rules/problems';
import { shortened } from '@tillhook/openapi/rules/shorten';
import type { Request, RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';
import { webAddressProblem } from '../kit/web-address.ts';
import { calledOperation } from './called-operation.ts';

export interface ValidatorProblem {
  path: string;
  message: string;
  errorCode?: string;
}

declare module 'express-serve-static-core' {
  interface Request {
    unstorable?: string[];
    wholeLengths?: ReadonlyMap<string, number>;
  }
}

type CheckedRequest = Pick<
  Request,
  'body' | 'query' | 'queryNames' | 'unstorable' | 'wholeLengths' | 'principal' | 'context'
>;

/**
 * Truncates long values of a request before its caller is authenticated, so that a waiting request does not keep its
 * whole body in memory.
 * See docs/decisions/requests.md, "Text that Postgres cannot store is refused when the body is read".
 */
export function shortenRequests(model: Model): RequestHandler {
  return (request, _response, next) => {
    const { body, query, wholeLengths } = shortened(request, calledOperation(request, model));
    const unstorable = unstorableStrings(body);
    Object.assign(request, { body, query, wholeLengths, unstorable });
    next();
  };
}

export function problemsOf(
  found: readonly ValidatorProblem[],
  request: CheckedRequest,
  operation: ModelOperation | undefined,
): Problem[] {
  const { body, query, queryNames, unstorable = [], wholeLengths = new Map(), principal, context } = request;
  const sent = {
    body,
    query: query as Record<string, unknown>,
    wholeLengths,
    queryNames,
    unstorable,
    addressProblem: (address: string, owner: Parameters<typeof addressRules>[0]) =>
      webAddressProblem(address, {
        ...addressRules(owner, principal?.mode),
        ...(owner === 'endpoint' && { allowedCidrs: context.config.webhookAllowCidrs }),
      }),
  };
  return allProblems(found.map(problemOf), sent, operation);
}

export function validationError(problems: readonly Problem[], operation: ModelOperation | undefined): AppError {
  const { code, message, ...options } = validationErrorOf(problems, operation);
  return new AppError(code, message, options);
}

function problemOf(problem: ValidatorProblem): Problem {
  const { path, message } = problem;
  const [, name = ''] = path.split('/', 2);
  const part = parts.get(name);
  return { part, pointer: part ? path.slice(name.length + 1) : '', rule: ruleOf(problem), message };
}

const parts = new Map<string, NonNullable<Problem['part']>>([
  ['body', 'body'],
  ['query', 'query'],
  ['path', 'path'],
  ['params', 'path'],
  ['headers', 'headers'],
  ['cookies', 'headers'],
]);

/**
 * The validator adds the prefix `x-eov-` to the names of some rules, and gives no code to a problem that it finds
 * before it reads the schema.
 */
function ruleOf({ errorCode, message }: ValidatorProblem): string {
  const rule = errorCode?.split('.')[0]?.replace(/^x-eov-/, '');
  return rule ?? (message.startsWith('Empty value') ? 'empty' : 'malformed');
}
