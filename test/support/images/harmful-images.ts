/** Files of at most 256 KiB that are made to take much memory or time of the program that decodes them. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeImage, withPngChunk, withPngSize } from './images.ts';

const number16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const frame = Buffer.from([0xff, 0xc0]);
const zeros = (count: number) => deflateSync(Buffer.alloc(count), { level: 9 });

const plainJpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'navy' } })
    .jpeg({ quality: 10 })
    .toBuffer();

/** The JPEG, cut before its frame, which declares the size, and after it. */
function partsOf(jpeg: Buffer): { before: Buffer; size: Buffer; after: Buffer } {
  const from = jpeg.indexOf(frame);
  const to = from + 2 + jpeg.readUInt16BE(from + 2);
  return { before: jpeg.subarray(0, from), size: jpeg.subarray(from, to), after: jpeg.subarray(to) };
}

function withSize(size: Buffer, width: number, height: number): Buffer {
  return Buffer.concat([size.subarray(0, 5), number16(height, width), size.subarray(9)]);
}

/** Its true size stands after a fill byte, and a comment is full of frames that declare 16 by 16 pixels. */
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
 * A progressive JPEG of 2,048 by 2,048 grey pixels, in which each further scan of 16 bytes says that all 65,536 blocks
 * stay as they are.
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
  // Runs of 32,767, 32,767 and 2 blocks, and bits to the end of the byte.
  const unchanged = bytesOf(`0${'1'.repeat(14)}`.repeat(2) + `0${'0'.repeat(14)}`.repeat(1));
  const furtherScan = [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, ...unchanged];
  const further = Array.from({ length: scans - 1 }, () => furtherScan).flat();
  return Buffer.from([...beginning, ...tables, ...firstScan, ...further, 0xff, 0xd9]);
}

/** In the data of a scan, a byte 255 is followed by a zero. */
function bytesOf(bits: string): number[] {
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? [];
  return whole.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 255 ? [255, 0] : [byte]));
}

/** A PNG of the largest size with 16 bits a colour, in seven passes, and with texts that inflate to 8 MB each. */
export async function largestPng(): Promise<Buffer> {
  const header = Buffer.concat([Buffer.from('IHDR'), Buffer.from([0, 0, 8, 0, 0, 0, 8, 0, 16, 6, 0, 0, 1])]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(header));
  const [small, pixels, text] = [await makeImage('png', 1, 1), zeros(2048 * 2048 * 8 + 2048 * 4), zeros(7_900_000)];
  const empty = Buffer.concat([small.subarray(0, 12), header, sum, small.subarray(-12)]);
  const texts = Math.floor((262_000 - pixels.length) / (text.length + 20));
  return Array.from({ length: texts }, (_, index) => index).reduce(
    (png, index) => withPngChunk(png, 'zTXt', Buffer.concat([Buffer.from(`k${index}\0\0`), text])),
    withPngChunk(empty, 'IDAT', pixels),
  );
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

/** A WebP whose canvas has another size than its picture. */
export async function webpWithCanvas(width: number, height: number, canvas: number): Promise<Buffer> {
  const picture = (await makeImage('webp', width, height)).subarray(12);
  const extended = Buffer.from('56503858 0a000000 10000000 000000 000000'.replaceAll(' ', ''), 'hex');
  extended.writeUIntLE(canvas - 1, 12, 3);
  extended.writeUIntLE(canvas - 1, 15, 3);
  const body = Buffer.concat([Buffer.from('WEBP'), extended, picture]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
}
