import { speakerOf, type Words as WordsOf } from '../../../kit/words.ts';
import { catalogues, type WordKey } from './catalogues.ts';

export type Words = WordsOf<WordKey>;

export const { chooseWords, wordsFor } = speakerOf<WordKey>(catalogues);
