/** Every documented answer of every operation, with the last of its examples. */
import { testEveryAnswer } from './every-answer.ts';

testEveryAnswer({ examples: 1 });
