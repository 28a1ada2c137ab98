import type { components } from '../generated/contract.ts';
import type { KnownValues } from '../model/known-values.ts';

export type Sentence = readonly [code: KnownValues<components['schemas']['ErrorCode']>, message: string];

export const noSuchAddress: Sentence = ['route_not_found', 'This address does not exist'];
export const wrongMethod = (method: string): Sentence => [
  'method_not_allowed',
  `${method} is not a method of this address`,
];

export const tooLarge = (limitBytes: number): Sentence => [
  'payload_too_large',
  `The request body is larger than ${limitBytes / 1024} KiB`,
];
export const wrongMediaType: Sentence = [
  'unsupported_media_type',
  'The request body must be application/json in UTF-8',
];
export const wrongEncoding: Sentence = [
  'unsupported_media_type',
  'The request body may be compressed by gzip, deflate or br, and by nothing else',
];
export const wrongCharset: Sentence = ['unsupported_media_type', 'JSON must be in UTF-8'];
export const noUtf8: Sentence = ['invalid_json', 'The request body is not UTF-8'];
export const noJson: Sentence = ['invalid_json', 'The request body is not valid JSON'];
export const noBody: Sentence = ['invalid_json', 'The request body is empty'];

export const otherSite: Sentence = ['cross_site_request', 'No call of another site is taken here'];
export const noMode: Sentence = [
  'cross_site_request',
  'A call with a session needs the header X-Service-Mode: test or live',
];
