import { createLogger } from '@stoplight/prism-core';
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpRequest,
  type IHttpResponse,
  ProblemJsonError,
} from '@stoplight/prism-http';
import { closeSchemas, type ModelOperation } from '@tillhook/openapi';
import type { MockAnswer } from '../requests/api-error.ts';

export interface Wanted {
  code: number;
  exampleKey?: string;
  dynamic?: boolean;
  seed?: string;
  /** The media type of the answer; omitted for JSON. */
  accept?: 'text/csv';
}

/** Generates an answer of an operation from the contract: a named example, or random values that fit the schema. */
export type Prism = (operation: ModelOperation, wanted: Wanted) => Promise<MockAnswer>;

/** Prism takes half a second to read a contract, and is stateless, so all mocks of a process share it. */
const made = new WeakMap<object, Promise<Prism>>();

export function prismOf(document: object): Promise<Prism> {
  const prism = made.get(document) ?? createPrism(document);
  made.set(document, prism);
  return prism;
}

/** `front.ts` checks requests instead of Prism, because Prism's messages differ from the service's messages. */
async function createPrism(document: object): Promise<Prism> {
  // Prism gets a copy: it resolves references in place, and adds random fields where a schema allows additional fields.
  const own = structuredClone(closeSchemas(document));
  lowerLimits(own);
  const operations = await getHttpOperationsFromSpec(own);
  const byName = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, [operation]]));
  const prism = createInstance(config, { logger: createLogger('prism', { level: 'silent' }) });
  return async ({ method, path }, { accept = 'application/json', ...wanted }) => {
    const candidates = byName.get(`${method} ${path}`) ?? [];
    const headers = { accept };
    const request: IHttpRequest = { method: method as IHttpRequest['method'], url: { path: filled(path) }, headers };
    const mock = { dynamic: false, ...wanted };
    const result = await prism.request(request, candidates, { ...config, mock })();
    if (result._tag === 'Left') return problemAnswer(result.left);
    const { output } = result.right;
    return { status: output.statusCode, headers: headersOf(output), body: output.body };
  };
}

/** With the contract's limits, Prism would generate lists of maximum length, which takes seconds. */
function lowerLimits(node: object): void {
  const { maxItems, minItems = 0, maxProperties, minProperties = 0 }: Limits = node;
  if (typeof maxItems === 'number') Object.assign(node, { maxItems: Math.max(minItems, Math.min(maxItems, few)) });
  if (typeof maxProperties === 'number') {
    Object.assign(node, { maxProperties: Math.max(minProperties, Math.min(maxProperties, few)) });
  }
  for (const child of Object.values(node)) if (child !== null && typeof child === 'object') lowerLimits(child);
}

const few = 5;

interface Limits {
  maxItems?: number;
  minItems?: number;
  maxProperties?: number;
  minProperties?: number;
}

const config: IHttpConfig = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

function filled(path: string): string {
  return path.replaceAll(/[{}]/g, '');
}

function headersOf({ headers }: IHttpResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

export function problemAnswer(error: Error): MockAnswer {
  const body = ProblemJsonError.toProblemJson(error);
  return {
    status: body.status,
    headers: { 'Content-Type': 'application/problem+json' },
    body,
    note: body.detail,
  };
}
