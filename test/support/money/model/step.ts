import { strictEqual } from 'node:assert/strict';
import fc, { type AsyncCommand } from 'fast-check';
import type { Model } from './model.ts';
import { compare, type World } from './world.ts';

export type Step = AsyncCommand<Model, World>;

/** The refusal of the service and the one that the model expects, if any. */
export interface ErrorCodes {
  errorCode?: string | undefined;
  expected?: string | undefined;
}

/** An action that is done to the model and to the service. */
interface Action {
  applies?: (model: Model) => boolean;
  act: (model: Model, world: World) => Promise<ErrorCodes>;
}

/** A command of fast-check. At its end it compares invariants, balances, statuses and events of service and model. */
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

/** A command on one of several items, which the given number picks. */
export function stepTo<Item>(name: string, given: { which: number }, { among, fits, act }: ActionOn<Item>): Step {
  return step(name, given, {
    applies: (model) => among(model).length > 0,
    act: (model, world) => act(pickFrom(among(model), given.which, fits), model, world),
  });
}

/**
 * Picks an item by any number, because numbers are generated before the number of items is known. In two of three cases
 * it picks an item on which the action can have an effect, if there is one. In the third it may pick one on which it is
 * refused.
 */
function pickFrom<Item>(items: readonly Item[], pick: number, fits: (item: Item) => boolean): Item {
  const fitting = pick % 3 === 0 ? [] : items.filter(fits);
  const candidates = fitting.length > 0 ? fitting : items;
  const item = candidates[Math.floor(pick / 3) % candidates.length];
  if (item === undefined) throw new Error('There is no item to pick: the step must not apply to an empty list.');
  return item;
}

/** A number to pick with. */
export const anyPick = fc.nat(15);
