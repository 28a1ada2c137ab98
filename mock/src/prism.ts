import { createLogger } from '@stoplight/prism-core';
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpRequest,
  type IHttpResponse,
  ProblemJsonError,
} from '@stoplight/prism-http';
import type { ContractDocument } from '@tillhook/openapi';

/** What the caller asks for by `Prefer`, in the words of the documentation of Prism. */
export interface Preferences {
  code?: number;
  exampleKey?: string;
  dynamic?: boolean;
  seed?: string;
}

export interface PrismAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** What was wrong with the request, or with the example that answers it. */
  violations: Violation[];
  /** Why there is no answer in the contract. */
  problem?: string;
}

interface Violation {
  location: string[];
  message: string;
}

/** Answers a request by the contract; a wish that the contract cannot fulfil is answered with problem JSON. */
export type Prism = (request: IHttpRequest, preferences: Preferences) => Promise<PrismAnswer>;

/**
 * Prism as a function from request to answer. Its own HTTP server is left out because it never answers a request with
 * malformed JSON, and because everything that this mock adds stands before or after this call.
 */
export async function createPrism(document: ContractDocument): Promise<Prism> {
  // Prism resolves references in place, and the contract belongs to the caller.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  // Prism answers an invalid request with 422 wherever that is documented. Here 422 is about what a valid request asks for.
  const refusedBy400 = operations.map((operation) => ({
    ...operation,
    responses: operation.responses.filter(({ code }) => code !== '422') as typeof operation.responses,
  }));
  const prism = createInstance(config, { logger: createLogger('prism', { level: 'silent' }) });
  return async (request, preferences) => {
    const mock = { dynamic: false, ...preferences };
    const answering = preferences.code === 422 ? operations : refusedBy400;
    const result = await prism.request(request, answering, { ...config, mock })();
    if (result._tag === 'Left') return problemAnswer(result.left);
    const { output, validations } = result.right;
    return {
      status: output.statusCode,
      headers: headersOf(output),
      body: output.body,
      violations: [...violationsOf('request', validations.input), ...violationsOf('response', validations.output)],
    };
  };
}

const config: IHttpConfig = {
  isProxy: false,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

function headersOf({ headers }: IHttpResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

function violationsOf(side: string, diagnostics: { path?: string[]; message: string }[]): Violation[] {
  return diagnostics.map(({ path = [], message }) => ({ location: [side, ...path], message }));
}

export function problemAnswer(error: Error): PrismAnswer {
  const body = ProblemJsonError.toProblemJson(error);
  const headers = { 'Content-type': 'application/problem+json' };
  return { status: body.status, headers, body, violations: [], problem: body.detail };
}
