import { createHash } from 'node:crypto';
import { deprecationHeaders, type ModelOperation, type OperationId, type OperationInput } from '@tillhook/openapi';
import { isCrossSite } from '@tillhook/openapi/rules/credentials';
import { noBody, otherSite } from '@tillhook/openapi/rules/sentences';
import type { Request, RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';
import { networkOf } from '../kit/network-of.ts';
import { type CountedLimit, countingGuesses } from '../operation/guesses.ts';
import type { IdempotencyKey } from '../operation/idempotency.ts';
import type { Limit, Operation } from '../operation/operation.ts';
import { type RateLimits, type RateState, rateHeaders } from '../operation/rate-limits.ts';
import { noteOwnAct } from '../people/audit/audit.service.ts';
import { keyCheck } from '../people/keys/calling-key.ts';
import { sendCsv } from './csv-answer.ts';
import { keepSession } from './session-cookie.ts';
import { problemsOf, validationError } from './validation-error.ts';

export function operationHandler<Id extends OperationId>(
  operation: Operation<Id>,
  modelOperation: ModelOperation,
  limits: RateLimits,
): RequestHandler {
  const uuids = uuidParameters(modelOperation);
  const operationLimits = operation.limits ?? [];
  const callLimits = operationLimits.filter(({ ofGuesses }) => !ofGuesses);
  const guessLimits = operationLimits.filter(({ ofGuesses }) => ofGuesses);
  return async (request, response) => {
    response.set(deprecationHeaders(modelOperation, request));
    checkRequest(request, modelOperation);
    const { principal } = request;
    const context = { ...request.context, ...(principal && { principal }) };
    const input = inputOf<Id>(request, uuids);
    // With a principal, `security.ts` has already set the headers of the caller's own limit.
    const tell = (state: RateState | null) => void (principal || (state && response.set(rateHeaders(state))));
    for (const { policy, key } of withKeys(callLimits, input, request)) tell(await limits.count(policy, key));
    if (operation.csv) {
      response.vary('Accept');
      if (request.wantsCsv) {
        await limits.count('csv', `${principal?.merchantId}:${principal?.mode}`);
        return sendCsv(operation.csv(context, input), { request, response, operation: modelOperation });
      }
    }
    // The ETag's version is read before the record. If the record changes between the reads, the client gets the same
    // answer once more, and misses no change.
    const kept = keptHeaders(await operation.version?.(context, input));
    if (isNotModified(request, kept)) return response.status(304).set(kept).end();
    const key = idempotencyKeyOf(request, modelOperation);
    const countedIn = <Answer>(countedLimits: readonly CountedLimit[], work: () => Promise<Answer>) =>
      countingGuesses({ limits, countedLimits, tell }, work);
    const { body, isReplayed, sessionToken } = await countedIn(withKeys(guessLimits, input, request), () =>
      operation.run(context, input, { id: modelOperation.id as Id, key, keyCheck, countedIn, noteAct: noteOwnAct }),
    );
    if (sessionToken !== undefined) keepSession(response, context, sessionToken);
    if (isReplayed) response.setHeader('Idempotent-Replayed', 'true');
    // An error answer must not have the caching headers, so they are set last.
    response.set(kept);
    response.status(modelOperation.successStatus).json(body);
  };
}

function withKeys<Id extends OperationId>(
  limits: readonly Limit<Id>[],
  input: OperationInput<Id>,
  { principal, ip }: Request,
): CountedLimit[] {
  return limits.flatMap(({ policy, by }) => {
    const key = by({ input, principal, network: networkOf(ip) });
    return key === null ? [] : [{ policy, key }];
  });
}

function checkRequest(request: Request, operation: ModelOperation): void {
  // Only requests without a principal are checked here: `security.ts` has already checked the origin of a session's
  // request, and another site has no API key.
  if (!request.principal && isCrossSite(request.headers)) throw new AppError(...otherSite);
  if (operation.body?.isRequired && request.body === undefined) {
    throw new AppError(...noBody);
  }
  const problems = problemsOf([], request, operation);
  if (problems.length > 0) throw validationError(problems, operation);
}

function keptHeaders(version: string | undefined): { ETag?: string; 'Cache-Control'?: string } {
  return version === undefined ? {} : { ETag: etagOf(version), 'Cache-Control': 'private, no-cache' };
}

function isNotModified(request: Request, { ETag }: { ETag?: string }): boolean {
  return ETag !== undefined && isKnown(ETag, request.get('If-None-Match'));
}

function inputOf<Id extends OperationId>(
  { params, query, body }: Request,
  uuids: readonly string[],
): OperationInput<Id> {
  // In lower case, because Postgres ignores the case of a UUID, but rate limits and the encryption compare its text.
  const path = { ...params };
  for (const name of uuids) path[name] = String(path[name]).toLowerCase();
  return { path, query, body } as unknown as OperationInput<Id>;
}

function uuidParameters({ parameters }: ModelOperation): string[] {
  return parameters
    .filter(({ in: place, schema }) => place === 'path' && schema.format === 'uuid')
    .map(({ name }) => name);
}

/**
 * A weak ETag, because a proxy may compress the answer. The ETags of Express are not used: Express makes the whole
 * answer first, and sends it in full for `Cache-Control: no-cache`, which `fetch` adds to requests with
 * `If-None-Match`.
 */
function etagOf(version: string): string {
  return `W/"${version}"`;
}

function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((tag) => etag === `W/${tag}`);
}

/**
 * Choice: the `Idempotency-Key` is bound to the bytes of the body. Versions of this service may parse `1.0` or a
 * duplicate field differently, but all of them compare bytes in the same way.
 */
function idempotencyKeyOf(request: Request, { parameters }: ModelOperation): IdempotencyKey | null {
  const value = request.get('Idempotency-Key');
  const isTaken = parameters.some(({ name }) => name === 'Idempotency-Key');
  if (value === undefined || !isTaken) return null;
  const { method, originalUrl, rawBody = '' } = request;
  const fingerprint = createHash('sha256').update(`${method} ${originalUrl}\n`).update(rawBody).digest();
  return { value, fingerprint };
}
