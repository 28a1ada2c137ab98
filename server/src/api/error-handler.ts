/** This file alone turns errors into answers. An unexpected error is only logged: its answer is a fixed sentence. */
import { deprecationHeaders, type ErrorBody, type Model, type ModelOperation } from '@tillhook/openapi';
import { limitBytes } from '@tillhook/openapi/rules/json-body';
import { maxProblems } from '@tillhook/openapi/rules/problems';
import {
  noJson,
  noSuchAddress,
  tooLarge,
  wrongEncoding,
  wrongMediaType,
  wrongMethod,
} from '@tillhook/openapi/rules/sentences';
import type { Answering } from '@tillhook/openapi/rules/unread-request';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Context } from '../context.ts';
import { AppError, errorTable } from '../kit/errors.ts';
import { newRequestId } from '../kit/ids.ts';
import { RateLimited, rateHeaders } from '../operation/rate-limits.ts';
import { isOutage, outageRetrySeconds } from '../platform/database/connection/outage.ts';
import { calledOperation } from './called-operation.ts';
import type { RefusedCalls } from './refused-calls.ts';
import { challenge } from './security.ts';
import { problemsOf, validationError } from './validation-error.ts';

interface HttpFailure {
  status: number;
  message: string;
  type?: string;
  limit?: number;
  headers?: Record<string, string>;
  errors?: { path: string; message: string; errorCode?: string }[];
}

export function errorHandler(model: Model, refused?: RefusedCalls): ErrorRequestHandler {
  return async (error, request, response, _next) => {
    const operation = calledOperation(request, model);
    const failure = await counted(translate(error, request, operation), request, refused);
    const [status] = errorTable[failure.code];
    if (status >= 500) request.context.log.error({ err: failure.cause ?? failure }, failure.message);
    if (response.headersSent) return response.destroy();

    setHeaders(response, { failure, error, operation });
    response.status(status).json(bodyOf(failure, request.context, request.id));
  };
}

async function counted(failure: AppError, request: Request, refused?: RefusedCalls): Promise<AppError> {
  const [status] = errorTable[failure.code];
  return (await refused?.count(request, status).catch((limited: AppError) => limited)) ?? failure;
}

function bodyOf(failure: AppError, { publicUrl }: Pick<Context, 'publicUrl'>, requestId: string): ErrorBody {
  const { code, param, details } = failure;
  return {
    success: false,
    message: failure.message.slice(0, 1000),
    error: {
      type: errorTable[code][1],
      code,
      param,
      details: details.slice(0, maxProblems),
      docUrl: `${publicUrl}/docs/errors#${code}`,
    },
    requestId,
  };
}

export function answerToUnread(context: Pick<Context, 'publicUrl' | 'log'>): Answering['answerToUnread'] {
  return (errorArguments, { code }) => {
    const failure = new AppError(...errorArguments);
    const [status] = errorTable[failure.code];
    const requestId = newRequestId();
    context.log.info({ requestId, status, code }, 'Failed to read a request');
    const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/json; charset=utf-8' };
    return { status, headers, body: JSON.stringify(bodyOf(failure, context, requestId)) };
  };
}

interface Failed {
  failure: AppError;
  error: HttpFailure;
  operation: ModelOperation | undefined;
}

function setHeaders(response: Response, { failure, error, operation }: Failed): void {
  const { req: request } = response;
  if (operation) response.set(deprecationHeaders(operation, request));
  const [status] = errorTable[failure.code];
  if (status === 401) response.setHeader('WWW-Authenticate', challenge(failure, operation, request.context.publicUrl));
  if (failure instanceof RateLimited) response.set(rateHeaders(failure.state));
  const retryAfterSeconds = failure.retryAfterSeconds ?? (status === 503 ? outageRetrySeconds : undefined);
  if (retryAfterSeconds) response.setHeader('Retry-After', retryAfterSeconds);
  if (status === 405) response.setHeader('Allow', error.headers?.Allow?.toUpperCase() ?? '');
}

function translate(error: unknown, request: Request, operation: ModelOperation | undefined): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return new AppError(...noSuchAddress);
  if (isOutage(error)) {
    return new AppError('service_unavailable', 'The service is unavailable, try again', {
      retryAfterSeconds: outageRetrySeconds,
      cause: error,
    });
  }
  const failure = error as HttpFailure;
  switch (failure.status) {
    case 400:
      return invalidRequest(failure, request, operation);
    case 404:
      return new AppError(...noSuchAddress);
    case 405:
      return new AppError(...wrongMethod(request.method));
    case 413:
      return new AppError(...tooLarge(failure.limit ?? limitBytes));
    case 415:
      return new AppError(...(failure.type === 'encoding.unsupported' ? wrongEncoding : wrongMediaType));
    default:
      return new AppError('internal_error', 'Something went wrong on our side', { cause: error });
  }
}

function invalidRequest(failure: HttpFailure, request: Request, operation: ModelOperation | undefined): AppError {
  // Only errors of the body parser have a `type`. At this point, each such error means that the body is not JSON.
  if (failure.type) return new AppError(...noJson);
  return validationError(problemsOf(failure.errors ?? [], request, operation), operation);
}
