import { crc32 } from 'node:zlib';
import sharp from 'sharp';

export type ImageKind = 'png' | 'jpeg' | 'webp';

export async function makeImage(kind: ImageKind, width: number, height: number): Promise<Buffer> {
  const row = Array.from({ length: width }, (_, x) => [31, 79, 191, x < width / 2 ? 255 : 0]).flat();
  const data = Buffer.alloc(width * height * 4, Buffer.from(row));
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  return image.toFormat(kind, kind === 'webp' ? { lossless: true } : {}).toBuffer();
}

/** A JPEG in CMYK. */
export async function cmykJpeg(width: number, height: number): Promise<Buffer> {
  return sharp(await makeImage('jpeg', width, height))
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
}

export function withPngChunk(png: Buffer, type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([png.subarray(0, 33), length, named, checksum, png.subarray(33)]);
}

export function withPngSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(12, 29));
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(header));
  return Buffer.concat([png.subarray(0, 12), header, checksum, png.subarray(33)]);
}

/** The metadata says to rotate the picture by 90°, as in photographs from telephones. */
export function turnedJpeg(jpeg: Buffer): Buffer {
  const exif = Buffer.from(
    '457869660000 4d4d002a00000008 0001 0112000300000001 00060000 00000000'.replaceAll(' ', ''),
    'hex',
  );
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
}

export async function animatedWebp(): Promise<Buffer> {
  const frames = [await makeImage('png', 10, 10), await makeImage('png', 20, 10)];
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
}

export function sizeOfPng(png: Buffer): [width: number, height: number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
