/**
 * The program refuses pictures that are unfit for a logo, and needs at most 150 MB for any file of the allowed size.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { decoder } from '@tillhook/server/src/people/logos/reencode-image.ts';
import test from 'ava';
import sharp from 'sharp';
import {
  imageWithMetadataInItself,
  jpegWithPlantedSize,
  jpegWithScans,
  jpegWithTwoSizes,
  largestPng,
  pngWithLongChunk,
  pngWithTexts,
  pngWithTinyContent,
  webpWithCanvas,
} from './harmful-images.ts';
import { cmykJpeg, makeImage, sizeOfPng, turnedJpeg } from './images.ts';

const maxKilobytes = 150 * 1024;

/** `resourceUsage` includes the parent's memory, so the program reports its own peak memory in kilobytes. */
const sayPeak = `data:text/javascript,import { readFileSync } from 'node:fs';
process.on('exit', () => process.stderr.write(/VmHWM:\\s+\\d+/.exec(readFileSync('/proc/self/status'))[0]))`;

const peakIn = (text: string) => Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0);

async function decode(file: Buffer) {
  const [shell = '', ...args] = [...decoder.command.slice(0, -1), '--import', sayPeak, ...decoder.command.slice(-1)];
  const child = spawn(shell, args, { env: decoder.env });
  // A killed program does not report its peak memory, so the test also measures the memory while the program runs.
  let kilobytes = 0;
  const asking = setInterval(() => {
    if (existsSync(`/proc/${child.pid}/status`))
      kilobytes = Math.max(kilobytes, peakIn(readFileSync(`/proc/${child.pid}/status`, 'utf8')));
  }, 1);
  child.stdin.on('error', () => {}).end(file);
  const [output, said, [code, signal]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  clearInterval(asking);
  const result = code === 0 ? sizeOfPng(output).join(' × ') : output.toString();
  return { result: signal ? stopped : result, kilobytes: Math.max(kilobytes, peakIn(said)) };
}

const stopped = 'stopped by a limit';
const tooLarge = (size: string) => `must have at most 4,096 pixels a side and 4,194,304 pixels in all, and has ${size}`;
const broken = 'is broken: the picture could not be read to its end';

type HarmfulFile = readonly [what: string, make: () => Promise<Buffer>, result: string];

export const someFiles: readonly HarmfulFile[] = [
  ['a JPEG with a planted size', () => jpegWithPlantedSize(9600, 9600), tooLarge('9,600 × 9,600')],
  ['a JPEG of 100 scans', async () => jpegWithScans(100), '512 × 512'],
  ['the PNG that takes the most memory', largestPng, '512 × 512'],
  ['a PNG with 33 long texts', () => pngWithTexts('zTXt', 33), stopped],
  ['a PNG with metadata that contains itself', () => imageWithMetadataInItself('png'), stopped],
  ['a small PNG that declares the largest size', () => pngWithTinyContent(2048, 2048), broken],
  ['a large WebP', () => makeImage('webp', 2048, 2048), '512 × 512'],
];

export const otherFiles: readonly HarmfulFile[] = [
  ['a JPEG with a planted size, a little too large', () => jpegWithPlantedSize(2049, 2048), tooLarge('2,049 × 2,048')],
  ['a JPEG with two sizes', () => jpegWithTwoSizes(60_000, 60_000), broken],
  ['a JPEG of 14,000 scans', async () => jpegWithScans(14_000), stopped],
  ['a large progressive JPEG in four colours, turned', () => turnedCmyk(), '512 × 512'],
  ['a PNG with a long profile', () => pngWithLongChunk('iCCP'), '100 × 100'],
  ['a PNG with a long text', () => pngWithLongChunk('zTXt'), '100 × 100'],
  ['a PNG with 4 long texts', () => pngWithTexts('zTXt', 4), stopped],
  ['a PNG with 33 long texts in a language', () => pngWithTexts('iTXt', 33), stopped],
  ['a JPEG with metadata that contains itself', () => imageWithMetadataInItself('jpeg'), stopped],
  ['a WebP with metadata that contains itself', () => imageWithMetadataInItself('webp'), stopped],
  ['a PNG with more pixels than it declares', () => pngWithLongChunk('IDAT'), '100 × 100'],
  [
    'a small PNG that declares 20,000 pixels a side',
    () => pngWithTinyContent(20_000, 20_000),
    tooLarge('20,000 × 20,000'),
  ],
  ['a WebP with a canvas smaller than its picture', () => webpWithCanvas(2000, 2000, 16), broken],
  ['a WebP with a canvas larger than its picture', () => webpWithCanvas(16, 16, 16_383), broken],
  ['a WebP of 3,000 pixels a side', () => makeImage('webp', 3000, 3000), tooLarge('3,000 × 3,000')],
  ['a WebP of 16,383 pixels a side', () => largeWebp(), stopped],
];

async function turnedCmyk(): Promise<Buffer> {
  return turnedJpeg(
    await sharp(await cmykJpeg(2048, 2048))
      .toColourspace('cmyk')
      .jpeg({ progressive: true, quality: 30 })
      .toBuffer(),
  );
}

/** Returns a WebP whose header declares 16,383 pixels a side, but whose pixels are missing. */
async function largeWebp(): Promise<Buffer> {
  const webp = await makeImage('webp', 16, 16);
  webp.writeUInt32LE((webp.readUInt32LE(21) & 0xf0_00_00_00) | (16_382 << 14) | 16_382, 21);
  return webp;
}

const onLinux = process.platform === 'linux' ? test.serial : test.serial.skip;

export function testDecoding(files: readonly HarmfulFile[]): void {
  for (const [what, make, expected] of files) {
    onLinux(`decoding ${what} takes at most 150 MB and results in "${expected}"`, async (t) => {
      const file = await make();
      t.true(file.length <= 262_144, `${file.length} bytes`);

      const { result, kilobytes } = await decode(file);

      t.is(result, expected);
      t.true(kilobytes > 10_000 && kilobytes <= maxKilobytes, `${kilobytes} kB`);
      t.log(`${Math.round(kilobytes / 1024)} MB`);
    });
  }
}
