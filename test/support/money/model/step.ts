import { strictEqual } from 'node:assert/strict';
import fc, { type AsyncCommand } from 'fast-check';
import type { Model } from './model.ts';
import { compare, type World } from './world.ts';

export type Step = AsyncCommand<Model, World>;

/** The error code with which the service refuses an action, and the error code that the model expects. */
export interface ErrorCodes {
  errorCode?: string | undefined;
  expected?: string | undefined;
}

/** An action on the model and on the service. */
interface Action {
  applies?: (model: Model) => boolean;
  act: (model: Model, world: World) => Promise<ErrorCodes>;
}

/** Returns a command of fast-check that acts on the service and on the model, and then compares their states. */
export function step(name: string, given: object, { applies = () => true, act }: Action): Step {
  return {
    check: (model) => applies(model),
    async run(model, world) {
      const { expected, errorCode } = await act(model, world);
      strictEqual(errorCode, expected, `${name} must have the expected error code, or none`);
      await compare(model, world);
      world.steps += 1;
    },
    toString: () => `${name} ${JSON.stringify(given)}`,
  };
}

/** An action on one of several payments, attempts or transfers. */
interface ActionOn<Item> {
  among: (model: Model) => readonly Item[];
  /** Whether the action can have an effect on this item. */
  fits: (item: Item) => boolean;
  act: (item: Item, model: Model, world: World) => Promise<ErrorCodes>;
}

/** Returns a command on one of several items. The given number picks the item. */
export function stepTo<Item>(name: string, given: { which: number }, { among, fits, act }: ActionOn<Item>): Step {
  return step(name, given, {
    applies: (model) => among(model).length > 0,
    act: (model, world) => act(pickFrom(among(model), given.which, fits), model, world),
  });
}

/**
 * Picks an item by a random number, which is generated before the number of items is known. Two of three numbers pick
 * only among the items on which the action can have an effect, if such items exist. The other numbers pick among all
 * items, so that the service also has to refuse actions.
 */
function pickFrom<Item>(items: readonly Item[], pick: number, fits: (item: Item) => boolean): Item {
  const fitting = pick % 3 === 0 ? [] : items.filter(fits);
  const candidates = fitting.length > 0 ? fitting : items;
  const item = candidates[Math.floor(pick / 3) % candidates.length];
  if (item === undefined) throw new Error('The step has no items from which to pick one.');
  return item;
}

/** Generates a number that picks an item. */
export const anyPick = fc.nat(15);
