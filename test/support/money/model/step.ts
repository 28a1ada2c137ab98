import { strictEqual } from 'node:assert/strict';
import fc, { type AsyncCommand } from 'fast-check';
import type { Model } from './model.ts';
import { compare, type World } from './world.ts';

export type Step = AsyncCommand<Model, World>;

export interface ErrorCodes {
  errorCode?: string | undefined;
  expected?: string | undefined;
}

interface Action {
  applies?: (model: Model) => boolean;
  act: (model: Model, world: World) => Promise<ErrorCodes>;
}

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

interface ActionOn<Item> {
  among: (model: Model) => readonly Item[];
  fits: (item: Item) => boolean;
  act: (item: Item, model: Model, world: World) => Promise<ErrorCodes>;
}

export function stepTo<Item>(name: string, given: { which: number }, { among, fits, act }: ActionOn<Item>): Step {
  return step(name, given, {
    applies: (model) => among(model).length > 0,
    act: (model, world) => act(pickFrom(among(model), given.which, fits), model, world),
  });
}

/** A third of the random numbers ignore `fits`, so that the service also has to refuse actions. */
function pickFrom<Item>(items: readonly Item[], pick: number, fits: (item: Item) => boolean): Item {
  const fitting = pick % 3 === 0 ? [] : items.filter(fits);
  const candidates = fitting.length > 0 ? fitting : items;
  const item = candidates[Math.floor(pick / 3) % candidates.length];
  if (item === undefined) throw new Error('The step has no items from which to pick one.');
  return item;
}

export const anyPick = fc.nat(15);
