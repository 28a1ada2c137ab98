/**
 * Writes a new PNG of the picture on standard input. With exit code 2, the output is the rest of a sentence that begins
 * with "image". The program is not in TypeScript, because Node.js reserves half a gigabyte of address space to remove
 * types, and the memory limit counts address space.
 * See docs/decisions/checkout-page.md, "Pictures are decoded by sharp, whose libvips is under the LGPL".
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** The maximum width or height of the picture in the file, in pixels. */
const maxSide = 4096;
const maxPixels = 4_194_304;

/** A logo is shown with a height of 36 CSS pixels, and screens have up to four device pixels for each CSS pixel. */
const maxKeptSide = 512;

const broken = 'is broken: the picture could not be read to its end';

class Unfit extends Error {}

// Allows only three formats, because the library also reads formats that contain programs or refer to other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] });
// More threads and a cache would take more memory.
sharp.concurrency(1);
sharp.cache(false);

const file = await buffer(process.stdin);
try {
  const png = await inspect(file).then(() => redraw(file));
  process.stdout.write(png);
} catch (error) {
  // Out of memory: aborts, as the library itself sometimes does, so that the parent process reports the same problem.
  if (error.message.includes('memory')) process.abort();
  process.stdout.write(error instanceof Unfit ? error.message : broken);
  process.exitCode = 2;
}

/** The library reads the header, so that this check and the decoder see the same size. */
async function inspect(bytes) {
  const {
    format,
    width,
    height,
    pages = 1,
  } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error) => {
      throw error.message.includes('unsupported')
        ? new Unfit('must be a picture of the kind PNG, JPEG or WebP')
        : error;
    });
  if (Math.max(width, height) > maxSide || width * height > maxPixels) {
    const limit = `at most ${inWords(maxSide)} pixels a side and ${inWords(maxPixels)} pixels in all`;
    throw new Unfit(`must have ${limit}, and has ${inWords(width)} × ${inWords(height)}`);
  }
  if (pages > 1 || (format === 'png' && isAnimatedPng(bytes))) throw new Unfit('must not be animated');
}

function inWords(count) {
  return count.toLocaleString('en');
}

/** Reads the types of the chunks, because the content of a still picture may contain the letters `acTL`. */
function isAnimatedPng(bytes) {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

async function redraw(bytes) {
  return (
    sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      // Rotates the picture as its metadata says, because the metadata is not kept.
      .autoOrient()
      .resize({ width: maxKeptSide, height: maxKeptSide, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  );
}
