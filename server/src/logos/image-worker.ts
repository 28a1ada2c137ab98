/**
 * Runs in a thread with little memory and an end: decodes one image, makes it smaller, and encodes it as a new PNG. Only
 * the pixels are kept, so the result has no metadata and nothing else that the file contained. The codecs are WebAssembly,
 * which cannot reach the memory of the process.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import encodePng, { init as initEncoder } from '@jsquash/png/encode.js';
import resize, { initResize } from '@jsquash/resize';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { type ImageKind, inspectImage } from './image-header.ts';

/** In pixels. The page shows a logo at 36 pixels high, and screens have up to four pixels for each. */
const longestKeptSide = 512;

export type Reencoded = { png: Uint8Array } | { problem: string };

/** The codecs were made for browsers, and use this class. */
class Pixels {
  readonly colorSpace = 'srgb';
  readonly pixelFormat = 'rgba-unorm8';
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
Object.assign(globalThis, { ImageData: Pixels });

/** The server's types have no names of browsers, but Node has this one. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<never> };

const { resolve } = createRequire(import.meta.url);
const compiled = async (file: string) => WebAssembly.compile(await readFile(resolve(file)));
const pngCodec = '@jsquash/png/codec/pkg/squoosh_png_bg.wasm';

const decoders: Record<ImageKind, (bytes: ArrayBuffer) => Promise<Pixels>> = {
  png: async (bytes) => {
    await initPng(await compiled(pngCodec));
    return decodePng(bytes);
  },
  jpeg: async (bytes) => {
    await initJpeg(await compiled('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'));
    // The picture is turned as its metadata says, because the metadata is not kept.
    return decodeJpeg(bytes, { preserveOrientation: true });
  },
  webp: async (bytes) => {
    await initWebp(await compiled('@jsquash/webp/codec/dec/webp_dec.wasm'));
    return decodeWebp(bytes);
  },
};

async function reencode(bytes: Uint8Array<ArrayBuffer>): Promise<Reencoded> {
  const inspected = inspectImage(bytes);
  if ('problem' in inspected) return inspected;
  const pixels = await decoders[inspected.kind](bytes.slice().buffer);
  await initEncoder(await compiled(pngCodec));
  return { png: new Uint8Array(await encodePng(await smaller(pixels))) };
}

/** An image that is small enough keeps its pixels. */
async function smaller(pixels: Pixels): Promise<Pixels> {
  const scale = longestKeptSide / Math.max(pixels.width, pixels.height);
  if (scale >= 1) return pixels;
  await initResize(await compiled('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'));
  const sideOf = (length: number) => Math.max(1, Math.round(length * scale));
  return resize(pixels, { width: sideOf(pixels.width), height: sideOf(pixels.height) });
}

parentPort?.postMessage(await reencode(workerData));
