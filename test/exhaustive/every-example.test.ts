/** Every example of every documented answer, which the mock gives to a caller who prefers it. */
import { testEveryAnswer } from '../mock/every-answer.ts';

testEveryAnswer({ examples: Number.POSITIVE_INFINITY });
