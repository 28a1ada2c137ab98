/**
 * What stands before Prism. It changes requests and headers, and answers itself only what is not in the contract to say: a
 * refusal that tells this request's own story, a page of a list, and what was sent. All else is Prism's.
 * See docs/decisions/mock.md, "The mock refuses by itself, and Prism answers".
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ContractDocument } from '@tillhook/openapi';
import { type MockOperation, mockOperationsOf } from './contract-model.ts';
import { createAdmission } from './credentials.ts';
import { checkExamples } from './example-check.ts';
import { asKnown } from './known-answer.ts';
import { type MagicInput, magicIn, magicInputsOf } from './magic-inputs.ts';
import { pageOf } from './pages.ts';
import { type Preferences, readPreferences } from './preferences.ts';
import { createPrism, type MockAnswer } from './prism.ts';
import { createReflection } from './reflection.ts';
import { createRefusalAnswers, Refusal } from './refusal.ts';
import { type MockRequest, readRequest } from './request.ts';
import { type Checked, createRequestCheck } from './request-check.ts';
import { createRouter } from './routes.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { type SeededList, seedLists } from './seeds.ts';

export interface Front {
  answer(request: IncomingMessage): Promise<MockAnswer>;
  refuse(refusal: Refusal): MockAnswer;
  operations: MockOperation[];
  magic: ReadonlyMap<string, MagicInput[]>;
  lists: ReadonlyMap<string, SeededList>;
  schemas: Schemas;
}

/** Throws when an example of the contract is broken. Answers that wait are given up when it is stopping. */
export async function createFront(document: ContractDocument, stopping?: AbortSignal): Promise<Front> {
  const operations = mockOperationsOf(document);
  const schemas = createSchemas(document);
  checkExamples(document, operations, schemas);
  const lists = seedLists(document, operations);
  const magic = new Map(operations.map((operation) => [operation.id, magicInputsOf(operation)]));
  const refuse = createRefusalAnswers(document, operations);
  const respond = await createResponder(document, { operations, schemas, lists, magic, stopping });
  return {
    operations,
    magic,
    lists,
    schemas,
    refuse,
    async answer(incoming) {
      try {
        return await respond(await readRequest(incoming));
      } catch (error) {
        if (error instanceof Refusal) return refuse(error);
        throw error;
      }
    },
  };
}

type Parts = Pick<Front, 'operations' | 'schemas' | 'lists' | 'magic'> & { stopping: AbortSignal | undefined };

async function createResponder(document: ContractDocument, parts: Parts) {
  const { operations, schemas, lists, magic, stopping } = parts;
  const route = createRouter(operations);
  const admit = createAdmission(document);
  const check = createRequestCheck(document, schemas);
  const reflect = createReflection(schemas, lists);
  const prism = await createPrism(document);

  const usualAnswer = async (operation: MockOperation, request: Checked): Promise<MockAnswer> => {
    const found = magicIn(magic.get(operation.id) ?? [], request);
    const { status, name } = found ?? { status: operation.success, name: undefined };
    const answer = await prism(operation, { code: status, ...(name !== undefined && { exampleKey: name }) });
    if (status !== operation.success) return answer;
    const list = lists.get(operation.id);
    const body = list && !found ? pageOf(list, request) : reflect(operation, request, answer.body);
    return { ...answer, body };
  };

  return async (request: MockRequest): Promise<MockAnswer> => {
    const { operation, path } = routed(route, request);
    const preferences = readPreferences(request, operation);
    if (preferences.waitMs > 0) await wait(preferences.waitMs, undefined, { signal: stopping });
    if (preferences.code !== undefined) return finished(operation, await prism(operation, wantedBy(preferences)));
    if (request.refusal) throw request.refusal;
    const mode = admit(operation, request.headers);
    const { query, headers, body } = request;
    const checked = { path, query, headers, body, mode };
    check(operation, checked);
    const answer = preferences.dynamic
      ? await prism(operation, { ...wantedBy(preferences), code: operation.success })
      : await usualAnswer(operation, checked);
    return finished(operation, answer, headers['if-none-match']);
  };
}

/** A body that cannot be read is refused before an address that does not exist. */
function routed(route: ReturnType<typeof createRouter>, { method, pathname, refusal }: MockRequest) {
  try {
    return route(method, pathname);
  } catch (error) {
    throw refusal ?? error;
  }
}

function wantedBy({ code = 200, example, dynamic, seed }: Preferences) {
  return {
    code,
    ...(example !== undefined && { exampleKey: example }),
    ...(dynamic !== undefined && { dynamic }),
    ...(seed !== undefined && { seed }),
  };
}

function finished(operation: MockOperation, answer: MockAnswer, ifNoneMatch?: string): MockAnswer {
  const own = withoutFlags(operation, answer);
  return operation.responses.has(304) && own.status === operation.success ? asKnown(own, ifNoneMatch) : own;
}

/** A header that can only say `true` tells of a call before this one, and there was none. */
function withoutFlags({ responses }: MockOperation, answer: MockAnswer): MockAnswer {
  const flags = Object.entries(responses.get(answer.status)?.optionalHeaders ?? {}).filter(
    ([, { schema }]) => schema.enum?.length === 1,
  );
  if (flags.length === 0) return answer;
  const dropped = flags.map(([name]) => name);
  const headers = Object.entries(answer.headers).filter(([name]) => !dropped.includes(name));
  return { ...answer, headers: Object.fromEntries(headers) };
}
