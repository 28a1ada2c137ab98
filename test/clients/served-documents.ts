/** Prints the documents that the server gives to others, so that `.ci/run` can see whether they have changed. */
import { readContract } from '@tillhook/openapi';
import { servedTexts } from '@tillhook/openapi/served-texts';

const texts = servedTexts(readContract(), 'http://localhost:3000');
console.log(texts.json());
console.log(texts.json30());
