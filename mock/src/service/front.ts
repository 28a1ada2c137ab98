/**
 * Remembered records come from the memory; all other answers are examples of the contract, which Prism makes.
 * See docs/decisions/mock.md, "The mock validates requests itself, and Prism makes the answers".
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Contract, ModelOperation } from '@tillhook/openapi';
import { checkExamples, createExampleNames, namesIn, type PathName } from '../examples/contract-examples.ts';
import { pageOf } from '../examples/list-page.ts';
import { type MagicInput, magicIn, magicInputsOf } from '../examples/magic-inputs.ts';
import { inDays } from '../examples/overview-days.ts';
import { type Prism, prismOf } from '../examples/prism.ts';
import { createReflection } from '../examples/reflection.ts';
import { type SeededList, type SeedRecord, seedLists } from '../examples/seeds.ts';
import { notFound } from '../memory/answers.ts';
import { createMemory, type Memory } from '../memory/memory.ts';
import { ApiError, createErrorAnswers, type MockAnswer } from '../requests/api-error.ts';
import { admit } from '../requests/credentials.ts';
import { type MockRequest, readRequest } from '../requests/request.ts';
import { type Checked, createRequestCheck } from '../requests/request-check.ts';
import { createRouter } from '../requests/routes.ts';
import { createSchemas, type Schemas } from '../requests/schemas.ts';
import { type Preferences, readPreferences } from './preferences.ts';

export interface Front {
  answer(request: IncomingMessage): Promise<MockAnswer>;
  answerError(error: ApiError): MockAnswer;
  magic: ReadonlyMap<string, MagicInput[]>;
  lists: ReadonlyMap<string, SeededList>;
  memory: Memory;
  schemas: Schemas;
}

interface FrontOptions {
  /** Aborted when the mock stops, which cancels delayed answers. */
  stopping?: AbortSignal;
  remembers?: boolean;
}

export async function createFront(contract: Served, options: FrontOptions = {}): Promise<Front> {
  const { stopping = new AbortController().signal, remembers = true } = options;
  const { document, model } = contract;
  const schemas = createSchemas(document);
  checkExamples(model, schemas);
  const lists = seedLists(model);
  const magic = new Map(model.operations.map((operation) => [operation.id, magicInputsOf(operation, model)]));
  const answerError = createErrorAnswers(model);
  const memory = createMemory(model, { stopping, remembers });
  const respond = await createResponder(contract, { schemas, lists, magic, memory, stopping });
  return {
    magic,
    lists,
    memory,
    schemas,
    answerError,
    async answer(incoming) {
      try {
        return await respond(await readRequest(incoming, model));
      } catch (error) {
        if (error instanceof ApiError) return answerError(error);
        throw error;
      }
    },
  };
}

type Served = Pick<Contract, 'document' | 'model'>;
type Sources = Pick<Front, 'schemas' | 'lists' | 'magic' | 'memory'> & { stopping: AbortSignal };

async function createResponder({ document, model }: Served, sources: Sources) {
  const { schemas, lists, magic, memory, stopping } = sources;
  const route = createRouter(model.operations);
  const check = createRequestCheck(schemas);
  const reflect = createReflection(schemas, lists);
  const waitForPage = createEventFeed(memory);
  const prism = withoutConditionalHeaders(await prismOf(document));
  const isExample = createExampleNames(model, lists);

  const exampleAnswer = async (operation: ModelOperation, request: Checked): Promise<MockAnswer> => {
    const found = magicIn(magic.get(operation.id) ?? [], request) ?? withoutAmount(operation, request);
    const { status, name } = found ?? { status: operation.successStatus, name: undefined };
    const answer = await prism(operation, { code: status, ...(name !== undefined && { exampleKey: name }) });
    if (status !== operation.successStatus) return answer;
    const list = lists.get(operation.id);
    const body =
      list && !found
        ? await waitForPage(operation, list, request)
        : inDays(operation, request, reflect(operation, request, answer.body));
    return { ...answer, body };
  };

  const usualAnswer = async (operation: ModelOperation, request: Checked): Promise<MockAnswer> => {
    const code = operation.successStatus;
    if (operation.success.csv && wantsCsv(request)) return prism(operation, { code, accept: 'text/csv' });
    rejectUnknown(operation, request);
    if (!memory.knows(operation)) return exampleAnswer(operation, request);
    const usual = await prism(operation, { code });
    const body = await memory.answer(operation, request, usual.body);
    return body === undefined ? exampleAnswer(operation, request) : { ...usual, body };
  };

  const rejectUnknown = (operation: ModelOperation, { path, mode }: Checked): void => {
    if (!memory.isOn || !mode || !operation.answers.has(404)) return;
    const isKnown = (one: PathName) => isExample(one) || memory.has(mode, one.place, one.name);
    if (!namesIn(operation, path).every(isKnown)) throw notFound;
  };

  const answerOnce = (operation: ModelOperation, request: Checked, fingerprint: string): Promise<MockAnswer> => {
    const isMagic = magicIn(magic.get(operation.id) ?? [], request) !== undefined;
    if (isMagic) return exampleAnswer(operation, request);
    const { mode, headers } = request;
    const key = headers['idempotency-key'];
    const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
    const work = () => usualAnswer(operation, request);
    if (!memory.isOn || !takesKey || !mode || key === undefined) return work();
    return memory.runOnce({ mode, key: String(key), fingerprint }, work);
  };

  return async (request: MockRequest): Promise<MockAnswer> => {
    const { operation, path } = routed(route, request);
    const preferences = readPreferences(request, operation);
    if (preferences.waitMs > 0) await wait(preferences.waitMs, undefined, { signal: stopping });
    if (preferences.code !== undefined) return finish(operation, await prism(operation, wantedBy(preferences)));
    if (request.error) throw request.error;
    const mode = admit(operation, request.headers);
    const { query, headers, body } = request;
    const checked = { path, query, headers, body, mode };
    check(operation, checked);
    const answer = preferences.dynamic
      ? await prism(operation, { ...wantedBy(preferences), code: operation.successStatus })
      : await answerOnce(operation, checked, request.fingerprint);
    return finish(operation, answer, headers['if-none-match']);
  };
}

/** Selects the example of a full refund for a refund without an amount. */
function withoutAmount({ id, successStatus: status }: ModelOperation, { body }: Checked) {
  const { amount } = (body ?? {}) as { amount?: unknown };
  return id === 'createRefund' && amount === undefined ? { status, name: 'rest' } : undefined;
}

/** Choice: only the first media type in `Accept` counts, because clients that want CSV send no quality values. */
function wantsCsv({ headers }: Checked): boolean {
  return /^\s*text\/csv\b/i.test(String(headers.accept ?? ''));
}

/** If the body is unreadable and the path is unknown, the error is about the body, as in the service. */
function routed(route: ReturnType<typeof createRouter>, { method, pathname, error: bodyError }: MockRequest) {
  try {
    return route(method, pathname);
  } catch (error) {
    throw bodyError ?? error;
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

function finish(operation: ModelOperation, answer: MockAnswer, ifNoneMatch?: string): MockAnswer {
  return operation.answers.has(304) && answer.status === operation.successStatus
    ? answerConditionally(answer, ifNoneMatch)
    : answer;
}

/** Removes headers that only some responses have: `Content-Disposition`, and flags such as `Idempotent-Replayed`. */
function withoutConditionalHeaders(prism: Prism): Prism {
  return async (operation, wanted) => {
    const answer = await prism(operation, wanted);
    const flags = [...(operation.answers.get(answer.status)?.headers ?? [])].filter(
      ([, { isRequired, schema }]) => !isRequired && schema.enum?.length === 1,
    );
    const dropped = flags.map(([name]) => name);
    if (wanted.accept !== 'text/csv') dropped.push('Content-Disposition');
    const headers = Object.entries(answer.headers).filter(([name]) => !dropped.includes(name));
    return { ...answer, headers: Object.fromEntries(headers) };
  };
}

/** A request with `wait` is answered when a matching event arrives or the waiting time is over. */
type WaitForPage = (operation: ModelOperation, list: SeededList, request: Checked) => Promise<SeedRecord>;

function createEventFeed({ recall, outbox: { bell } }: Pick<Memory, 'recall' | 'outbox'>): WaitForPage {
  return async ({ id }, list, request) => {
    const { wait } = request.query;
    const page = () => pageOf(withRemembered(list, recall(id, request)), request);
    if (!wait) return page();
    // The timer of an `AbortSignal` does not keep the process alive after the mock has stopped.
    const signal = AbortSignal.timeout(Number(wait) * 1000);
    for (;;) {
      const found = page();
      if ((found[list.key] as unknown[]).length > 0 || signal.aborted) return found;
      await once(bell, 'event', { signal }).catch(() => undefined);
    }
  };
}

/** Omits an example with the reference of a remembered record, because references are unique. */
function withRemembered(list: SeededList, remembered: readonly SeedRecord[]): SeededList {
  const isNamedOnce = ['payments', 'refunds', 'transfers'].includes(list.key);
  const taken = new Set(isNamedOnce ? remembered.map(({ reference }) => reference) : []);
  return { ...list, records: [...remembered, ...list.records.filter(({ reference }) => !taken.has(reference))] };
}

/** The service has its own code for `ETag`; `test/mock/answers.test.ts` compares the answers. */
function answerConditionally(answer: MockAnswer, ifNoneMatch: string | undefined): MockAnswer {
  if (answer.body === undefined || !('ETag' in answer.headers)) return answer;
  // The `ETag` is computed from the body, because the contract's examples all have the same `ETag`.
  const tag = `"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex').slice(0, 20)}"`;
  const headers = { ...answer.headers, ETag: `W/${tag}`, 'Cache-Control': 'private, no-cache' };
  if (!namesTag(ifNoneMatch, tag)) return { ...answer, headers };
  return { ...answer, status: 304, headers: withoutType(headers), body: undefined };
}

/** True when `If-None-Match` contains this `ETag`, weak or strong. */
function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((one) => one === tag);
}

function withoutType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'));
}
