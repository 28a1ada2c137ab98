/** Picture files, made by the encoders of the codecs that the service uses: one half is blue, the other transparent. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import encodePng, { init as initPng } from '@jsquash/png/encode.js';
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js';

export type ImageKind = 'png' | 'jpeg' | 'webp';

declare const WebAssembly: { compile(bytes: Uint8Array): Promise<never> };

const { resolve } = createRequire(import.meta.url);
const compiled = async (file: string) => WebAssembly.compile(await readFile(resolve(file)));

const encoders: Record<ImageKind, (pixels: never) => Promise<ArrayBuffer>> = {
  png: async (pixels) => {
    await initPng(await compiled('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
    return encodePng(pixels);
  },
  jpeg: async (pixels) => {
    await initJpeg(await compiled('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
    return encodeJpeg(pixels);
  },
  webp: async (pixels) => {
    await initWebp(await compiled('@jsquash/webp/codec/enc/webp_enc.wasm'));
    return encodeWebp(pixels, { lossless: 1 });
  },
};

export async function makeImage(kind: ImageKind, width: number, height: number): Promise<Buffer> {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    data.set([31, 79, 191, pixel % width < width / 2 ? 255 : 0], pixel * 4);
  }
  return Buffer.from(await encoders[kind]({ data, width, height } as never));
}

/** The file with one more chunk, after the header of the PNG. */
export function withPngChunk(png: Buffer, type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([png.subarray(0, 33), length, named, checksum, png.subarray(33)]);
}

/** A PNG whose header declares another size than its pixels have. */
export function withPngSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(12, 29));
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(header));
  return Buffer.concat([png.subarray(0, 12), header, checksum, png.subarray(33)]);
}

/** The JPEG with metadata that says that it has to be turned by a quarter, as photographs of telephones have. */
export function turnedJpeg(jpeg: Buffer): Buffer {
  const exif = Buffer.from(
    '457869660000 4d4d002a00000008 0001 0112000300000001 00060000 00000000'.replaceAll(' ', ''),
    'hex',
  );
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
}

/** The beginning of an animated WebP of 10 by 10 pixels. */
export function animatedWebp(): Buffer {
  const body = Buffer.from('57454250 56503858 0a000000 02000000 090000 090000'.replaceAll(' ', ''), 'hex');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), size, body]);
}

export function sizeOfPng(png: Buffer): [width: number, height: number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
