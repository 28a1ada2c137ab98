import { strictEqual } from 'node:assert/strict';
import fc, { type AsyncCommand } from 'fast-check';
import type { Model } from './model.ts';
import { compare, type World } from './world.ts';

export type Step = AsyncCommand<Model, World>;

/** Those of the world and of the model, when there are any. */
export interface Refusals {
  refusal?: string | undefined;
  expected?: string | undefined;
}

/** What is done to model and world alike. */
interface Deed {
  applies?: (model: Model) => boolean;
  act: (model: Model, world: World) => Promise<Refusals>;
}

/** A command that ends with all that is known compared: invariants, balances, statuses and events. */
export function step(name: string, given: object, { applies = () => true, act }: Deed): Step {
  return {
    check: (model) => applies(model),
    async run(model, world) {
      const { expected, refusal } = await act(model, world);
      strictEqual(refusal, expected, `${name} is refused otherwise than expected`);
      await compare(model, world);
      world.steps += 1;
    },
    toString: () => `${name} ${JSON.stringify(given)}`,
  };
}

/** What happens to one of those there are. */
interface DeedTo<Item> {
  among: (model: Model) => readonly Item[];
  /** Those to which it can happen. */
  fits: (item: Item) => boolean;
  act: (item: Item, model: Model, world: World) => Promise<Refusals>;
}

/** A command about one of several, picked by the number that was given. */
export function stepTo<Item>(name: string, given: { which: number }, { among, fits, act }: DeedTo<Item>): Step {
  return step(name, given, {
    applies: (model) => among(model).length > 0,
    act: (model, world) => act(pickFrom(among(model), given.which, fits), model, world),
  });
}

/**
 * One of those there are, by any number: what was generated before anybody knew how many there would be. Two times of three
 * it is one to which this can happen, if there is any; otherwise it may be one that refuses it.
 */
function pickFrom<Item>(items: readonly Item[], pick: number, fits: (item: Item) => boolean): Item {
  const fitting = pick % 3 === 0 ? [] : items.filter(fits);
  const candidates = fitting.length > 0 ? fitting : items;
  const item = candidates[Math.floor(pick / 3) % candidates.length];
  if (item === undefined) throw new Error('A step that needs something to pick from does not apply without.');
  return item;
}

/** A number to pick with. */
export const anyPick = fc.nat(15);
