import type { ModelOperation } from '@tillhook/openapi';
import { allProblems } from '@tillhook/openapi/refusals/beyond-schemas';
import { addressRules } from '@tillhook/openapi/refusals/fields';
import { type Problem, refusalOf } from '@tillhook/openapi/refusals/problems';
import type { Request } from 'express';
import { AppError } from '../kit/errors.ts';
import { webAddressProblem } from '../kit/web-address.ts';

/** One problem as the validator reports it: `/body/amount`, `minimum.openapi.validation`. */
export interface ValidatorProblem {
  path: string;
  message: string;
  errorCode?: string;
}

type Asked = Pick<Request, 'body' | 'query' | 'originalUrl' | 'unstorable' | 'principal' | 'context'>;

/** Everything that is wrong with a request: what the validator found, and what no schema can express. */
export function problemsOf(
  found: readonly ValidatorProblem[],
  request: Asked,
  operation: ModelOperation | undefined,
): Problem[] {
  const { body, query, originalUrl, unstorable = [], principal, context } = request;
  // As they were sent: the validator takes `limit[]` for `limit`.
  const queryNames = new URLSearchParams(originalUrl.split('?').slice(1).join('?')).keys();
  const sent = {
    body,
    query,
    queryNames: [...new Set(queryNames)],
    unstorable,
    addressProblem: (address: string, owner: Owner) =>
      webAddressProblem(address, {
        ...addressRules(owner, principal?.mode),
        ...(owner === 'endpoint' && { allowedCidrs: context.config.webhookAllowCidrs }),
      }),
  };
  return allProblems(found.map(problemOf), sent, operation);
}

type Owner = Parameters<typeof addressRules>[0];

/** The problems of a request as one error. */
export function validationError(problems: readonly Problem[], operation: ModelOperation | undefined): AppError {
  const { code, message, ...options } = refusalOf(problems, operation);
  return new AppError(code, message, options);
}

/** Where an address cannot be decoded, the path is the address itself. */
function problemOf(problem: ValidatorProblem): Problem {
  const { path, message } = problem;
  const [, name = ''] = path.split('/', 2);
  const part = parts.get(name);
  return { part, pointer: part ? path.slice(name.length + 1) : '', rule: ruleOf(problem), message };
}

/** The parts of a request by the names that the validator has for them. */
const parts = new Map<string, NonNullable<Problem['part']>>([
  ['body', 'body'],
  ['query', 'query'],
  ['path', 'path'],
  ['params', 'path'],
  ['headers', 'headers'],
  ['cookies', 'headers'],
]);

/**
 * Rules that the validator took over have its prefix. What it refuses before it has a schema to name carries no code, only a
 * sentence.
 */
function ruleOf({ errorCode, message }: ValidatorProblem): string {
  const rule = errorCode?.split('.')[0]?.replace(/^x-eov-/, '');
  return rule ?? (message.startsWith('Empty value') ? 'empty' : 'malformed');
}
