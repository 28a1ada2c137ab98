import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type ImageKind, makeImage, withPngChunk, withPngSize } from './images.ts';

const number16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const frame = Buffer.from([0xff, 0xc0]);
const zeros = (count: number) => deflateSync(Buffer.alloc(count), { level: 9 });

const plainJpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'navy' } })
    .jpeg({ quality: 10 })
    .toBuffer();

function partsOf(jpeg: Buffer): { before: Buffer; size: Buffer; after: Buffer } {
  const from = jpeg.indexOf(frame);
  const to = from + 2 + jpeg.readUInt16BE(from + 2);
  return { before: jpeg.subarray(0, from), size: jpeg.subarray(from, to), after: jpeg.subarray(to) };
}

function withSize(size: Buffer, width: number, height: number): Buffer {
  return Buffer.concat([size.subarray(0, 5), number16(height, width), size.subarray(9)]);
}

/** A JPEG whose true size follows a fill byte. A comment contains many frame headers that declare 16 by 16 pixels. */
export async function jpegWithPlantedSize(width: number, height: number): Promise<Buffer> {
  const { before, size, after } = partsOf(await plainJpeg(16, 16));
  const planted = Buffer.alloc(65_520, size);
  const comment = [number16(0xfffe, planted.length + 2), planted];
  return Buffer.concat([before, Buffer.from([0xff]), withSize(size, width, height), ...comment, after]);
}

export async function jpegWithTwoSizes(width: number, height: number): Promise<Buffer> {
  const { before, size, after } = partsOf(await plainJpeg(16, 16));
  return Buffer.concat([before, size, withSize(size, width, height), after]);
}

/**
 * A progressive JPEG of 2,048 by 2,048 grey pixels. Each scan after the first leaves all 65,536 blocks unchanged.
 */
export function jpegWithScans(scans: number): Buffer {
  const table = (kind: number, symbol: number) => [0xff, 0xc4, 0, 20, kind, 1, ...Array(15).fill(0), symbol];
  const beginning = [
    0xff,
    0xd8,
    0xff,
    0xdb,
    0,
    67,
    0,
    ...Array(64).fill(1),
    0xff,
    0xc2,
    0,
    11,
    8,
    8,
    0,
    8,
    0,
    1,
    1,
    0x11,
    0,
  ];
  const tables = [...table(0, 0), ...table(0x10, 0xe0)];
  const firstScan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, ...Array(8192).fill(0)];
  // Codes for runs of 32,767, 32,767 and 2 unchanged blocks.
  const unchanged = bytesOf(`0${'1'.repeat(14)}`.repeat(2) + `0${'0'.repeat(14)}`.repeat(1));
  const furtherScan = [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, ...unchanged];
  const further = Array.from({ length: scans - 1 }, () => furtherScan).flat();
  return Buffer.from([...beginning, ...tables, ...firstScan, ...further, 0xff, 0xd9]);
}

/** In the data of a scan, a zero must follow each byte of 255. */
function bytesOf(bits: string): number[] {
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? [];
  return whole.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 255 ? [255, 0] : [byte]));
}

/** An interlaced PNG of the maximum size with 16 bits per channel. Each text chunk inflates to almost 8 MB of zeros. */
export async function largestPng(): Promise<Buffer> {
  const header = Buffer.concat([Buffer.from('IHDR'), Buffer.from([0, 0, 8, 0, 0, 0, 8, 0, 16, 6, 0, 0, 1])]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(header));
  const [small, pixels] = [await makeImage('png', 1, 1), zeros(2048 * 2048 * 8 + 2048 * 4)];
  const empty = Buffer.concat([small.subarray(0, 12), header, sum, small.subarray(-12)]);
  const text = zeros(7_900_000);
  const texts = Math.floor((262_000 - pixels.length) / (text.length + 20));
  return Array.from({ length: texts }, (_, index) => Buffer.from(`k${index}\0\0`)).reduce(
    (png, beginning) => withPngChunk(png, 'zTXt', Buffer.concat([beginning, text])),
    withPngChunk(empty, 'IDAT', pixels),
  );
}

/** The text chunks of this PNG inflate to almost 8 MB each, the maximum length that the library allows. */
export async function pngWithTexts(type: 'zTXt' | 'iTXt', count: number): Promise<Buffer> {
  const text = deflateSync(Buffer.alloc(7_900_000, 'A'), { level: 9 });
  const middle = type === 'zTXt' ? '\0\0' : '\0\u0001\0\0\0';
  return Array.from({ length: count }, (_, index) => Buffer.from(`k${index}${middle}`)).reduce(
    (png, beginning) => withPngChunk(png, type, Buffer.concat([beginning, text])),
    await makeImage('png', 100, 100),
  );
}

/** Metadata of 4,000 entries. Each entry points to the offset at which the same entries begin. */
function metadataInItself(): Buffer {
  const entry = Buffer.from('6987 0400 01000000 08000000'.replaceAll(' ', ''), 'hex');
  const entries = Buffer.alloc(4000 * entry.length, entry);
  return Buffer.concat([
    Buffer.from('II*\0\u0008\0\0\0'),
    Buffer.from([4000 & 255, 4000 >> 8]),
    entries,
    Buffer.alloc(4),
  ]);
}

/** A picture of 100 by 100 pixels whose metadata contains itself, so that a decoder reads it repeatedly. */
export async function imageWithMetadataInItself(kind: ImageKind): Promise<Buffer> {
  const [image, metadata] = [await makeImage(kind, 100, 100), metadataInItself()];
  if (kind === 'png') return withPngChunk(image, 'eXIf', metadata);
  if (kind === 'webp') return extendedWebp(8, 100, [image.subarray(12), webpChunk('EXIF', metadata)]);
  const named = Buffer.concat([Buffer.from('Exif\0\0'), metadata]);
  return Buffer.concat([image.subarray(0, 2), number16(0xffe1, named.length + 2), named, image.subarray(2)]);
}

/** A PNG of 100 by 100 pixels with a chunk that inflates to 200 MB. */
export async function pngWithLongChunk(type: 'iCCP' | 'zTXt' | 'IDAT'): Promise<Buffer> {
  const content = zeros(200_000_000);
  return withPngChunk(
    await makeImage('png', 100, 100),
    type,
    type === 'IDAT' ? content : Buffer.concat([Buffer.from('k\0\0'), content]),
  );
}

export async function pngWithTinyContent(width: number, height: number): Promise<Buffer> {
  return withPngSize(await makeImage('png', 2, 2), width, height);
}

export async function webpWithCanvas(width: number, height: number, canvas: number): Promise<Buffer> {
  return extendedWebp(16, canvas, [(await makeImage('webp', width, height)).subarray(12)]);
}

/** In the flags of a WebP header, 16 announces a chunk for transparency, and 8 a chunk for metadata. */
function extendedWebp(flags: number, canvas: number, chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(10);
  header.writeUInt8(flags, 0);
  header.writeUIntLE(canvas - 1, 4, 3);
  header.writeUIntLE(canvas - 1, 7, 3);
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), webpChunk('VP8X', header), ...chunks]));
}

function webpChunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type), length, content]);
}
