import type { EventName } from '@tillhook/openapi';

/**
 * TypeScript has no type for every text except the known names, so this union lists beginnings and ends that no known
 * name has. With the type `string`, a comparison with a known name would not narrow an event.
 * See docs/decisions/sdk.md, "Names of unknown events can be compared".
 */
export type UnknownEventName =
  | DifferentStart<Noun, [1, 2]>
  | {
      [L in First<Noun>]: `${L}${string}${Exclude<Letter, Last<Extract<Noun, `${L}${string}`>>>}.${string}`;
    }[First<Noun>]
  | `${string}.${DifferentStart<Verb, [1, 2, 3]>}`
  | Exclude<`${Noun}.${Verb}`, EventName>;

type Letter = LettersOf<'abcdefghijklmnopqrstuvwxyz_'>;
type Noun = EventName extends infer Name ? (Name extends `${infer Noun}.${string}` ? Noun : never) : never;
type Verb = EventName extends infer Name ? (Name extends `${string}.${infer Verb}` ? Verb : never) : never;

/** Every text whose first letters, as many as `Places` has items, are not the beginning of any of the `Words`. */
type DifferentStart<Words extends string, Places extends number[], Read extends string = ''> = Places extends [
  number,
  ...infer Later extends number[],
]
  ?
      | `${Read}${Exclude<Letter, First<Words>>}${string}`
      | { [L in First<Words>]: DifferentStart<After<L, Words>, Later, `${Read}${L}`> }[First<Words>]
  : never;

type First<Words> = Words extends `${infer L}${string}` ? L : never;
type Last<Words> = Words extends `${infer L}${infer Rest}` ? (Rest extends '' ? L : Last<Rest>) : never;
type After<L extends string, Words> = Words extends `${L}${infer Rest}` ? Rest : never;
type LettersOf<Text> = Text extends `${infer L}${infer Rest}` ? L | LettersOf<Rest> : never;
