/**
 * Looks at the beginning of an image before it is decoded, so that no file that is too large, animated or cut off
 * reaches a decoder. Each problem is a sentence that continues "image", for the person who chose the file.
 */
import { imageSize } from 'image-size';

export type ImageKind = 'png' | 'jpeg' | 'webp';

/** In pixels. */
export const longestSide = 4096;
export const mostPixels = 4_194_304;

const wrongKind = 'must be a picture of the kind PNG, JPEG or WebP';
export const broken = 'is broken: the picture could not be read to its end';
const animated = 'must not be animated';

/** The kind of an image that may be decoded, or what is wrong with it. */
export function inspectImage(bytes: Uint8Array): { kind: ImageKind } | { problem: string } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = kindOf(view);
  if (!kind) return { problem: wrongKind };
  const problem = sizeProblem(view) ?? checks[kind](view);
  return problem === null ? { kind } : { problem };
}

/** By the first bytes, because names and types are what the sender says. */
function kindOf(bytes: Buffer): ImageKind | null {
  if (bytes.subarray(0, 8).equals(pngBeginning)) return 'png';
  if (bytes.subarray(0, 3).equals(jpegBeginning)) return 'jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'webp' : null;
}

const pngBeginning = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegBeginning = Buffer.from([0xff, 0xd8, 0xff]);
const jpegScan = Buffer.from([0xff, 0xda]);
const jpegEnd = Buffer.from([0xff, 0xd9]);

function sizeProblem(bytes: Buffer): string | null {
  const { width = 0, height = 0 } = sizeOf(bytes) ?? {};
  if (width < 1 || height < 1) return broken;
  if (Math.max(width, height) > longestSide || width * height > mostPixels) {
    return `must have at most ${inWords(longestSide)} pixels a side and ${inWords(mostPixels)} pixels in all, and has ${inWords(width)} × ${inWords(height)}`;
  }
  return null;
}

const inWords = (count: number) => count.toLocaleString('en');

function sizeOf(bytes: Buffer): { width?: number; height?: number } | null {
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}

/** What the size does not show. The decoder of JPEG fills the missing part of a file that was cut off with grey. */
const checks: Record<ImageKind, (bytes: Buffer) => string | null> = {
  png: (bytes) => (bytes.includes('acTL') && bytes.indexOf('acTL') < bytes.indexOf('IDAT') ? animated : null),
  jpeg: (bytes) => (bytes.indexOf(jpegEnd, bytes.lastIndexOf(jpegScan)) < 0 ? broken : null),
  webp: (bytes) => {
    if (bytes.length < bytes.readUInt32LE(4) + 8) return broken;
    const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X';
    return isExtended && ((bytes[20] ?? 0) & 0x02) !== 0 ? animated : null;
  },
};
