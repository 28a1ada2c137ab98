/**
 * What Express calls for an operation: input in, the handler run, and only then, after the commit, the answer with the
 * operation's documented success status. Everything that is known before the handler runs is asked here.
 */
import type { ModelOperation, OperationId, OperationInput } from '@tillhook/openapi';
import { isCrossSite } from '@tillhook/openapi/refusals/credentials';
import { noBody, otherSite } from '@tillhook/openapi/refusals/sentences';
import type { Request, RequestHandler, Response } from 'express';
import { noteOwnAct } from '../audit/audit.service.ts';
import { AppError } from '../kit/errors.ts';
import { networkOf } from '../kit/network-of.ts';
import { countingGuesses, type Place } from '../operation/guesses.ts';
import type { Operation } from '../operation/operation.ts';
import { type RateLimits, type RateState, rateHeaders } from '../operation/rate-limits.ts';
import { etagOf, isKnown } from './etag.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { keepSession } from './session-cookie.ts';
import { problemsOf, validationError } from './validation-error.ts';

/** The Express handler of an operation. The validator has checked everything that a schema can say of the request. */
export function operationHandler<Id extends OperationId>(
  operation: Operation<Id>,
  asked: ModelOperation,
  limits: RateLimits,
): RequestHandler {
  const uuids = uuidParameters(asked);
  const placesOf = (input: OperationInput<Id>, { principal, ip }: Request, areGuesses: boolean) =>
    (operation.limits ?? [])
      .filter(({ ofGuesses = false }) => ofGuesses === areGuesses)
      .flatMap(({ policy, by }) => {
        const key = by({ input, principal, network: networkOf(ip) });
        return key === null ? [] : [{ policy, key }];
      });
  return async (request, response) => {
    refuseUnfit(request, asked);
    const { principal } = request;
    const context = { ...request.context, ...(principal && { principal }) };
    const input = inputOf<Id>(request, uuids);
    for (const { policy, key } of placesOf(input, request, false)) await limits.count(policy, key);
    // Asked before the answer is made: a change in between costs the caller one call more, and is never hidden.
    const version = await operation.version?.(context, input);
    if (version !== undefined && answeredBefore(request, response, version)) return response.status(304).end();
    const key = idempotencyKeyOf(request, asked);
    // Where a merchant is calling, the merchant's limit is the one that is told.
    const tell = (state: RateState) => void (principal || response.set(rateHeaders(state)));
    const countedIn = <Answer>(places: readonly Place[], work: () => Promise<Answer>) =>
      countingGuesses({ limits, places, tell }, work);
    const { body, isReplayed, sessionToken } = await countedIn(placesOf(input, request, true), () =>
      operation.run(context, input, { id: asked.id as Id, key, countedIn, noteAct: noteOwnAct }),
    );
    if (sessionToken !== undefined) keepSession(response, context, sessionToken);
    if (isReplayed) response.setHeader('Idempotent-Replayed', 'true');
    response.status(asked.successStatus).json(body);
  };
}

/** What the validator does not see. */
function refuseUnfit(request: Request, operation: ModelOperation): void {
  // With a credential this was looked at before.
  if (!request.principal && isCrossSite(request.headers)) throw new AppError(...otherSite);
  if (operation.body?.isRequired && request.body === undefined) {
    throw new AppError(...noBody);
  }
  const problems = problemsOf([], request, operation);
  if (problems.length > 0) throw validationError(problems, operation);
}

/** Gives the answer its ETag, and says whether the caller has it already. */
function answeredBefore(request: Request, response: Response, version: string): boolean {
  const etag = etagOf(version);
  response.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  return isKnown(etag, request.get('If-None-Match'));
}

function inputOf<Id extends OperationId>(
  { params, query, body }: Request,
  uuids: readonly string[],
): OperationInput<Id> {
  // Postgres takes a UUID in either case; limits and seals, which are made for one, would not.
  const path = { ...params };
  for (const name of uuids) path[name] = String(path[name]).toLowerCase();
  return { path, query, body } as unknown as OperationInput<Id>;
}

/** The names of the path's parameters that are UUIDs. */
function uuidParameters({ parameters }: ModelOperation): string[] {
  return parameters
    .filter(({ in: place, schema }) => place === 'path' && schema.format === 'uuid')
    .map(({ name }) => name);
}
