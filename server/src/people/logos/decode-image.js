/**
 * A program that reads a picture from its standard input, and writes a new PNG to its standard output. Only the pixels
 * are kept, so the PNG has no metadata and nothing else that the file contained. When the file cannot be used as a
 * logo, the program exits with code 2, and its output is the rest of a sentence that begins with "image", for the
 * person who chose the file. The program is JavaScript and not TypeScript, because Node.js uses WebAssembly to remove
 * types. WebAssembly reserves half a gigabyte of address space, and the memory limit counts address space.
 * See docs/decisions/checkout-page.md, "Pictures are decoded by sharp, whose libvips is under the LGPL".
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** The maximum width or height of the picture in the file, in pixels. */
const maxSide = 4096;
const maxPixels = 4_194_304;

/**
 * The maximum width or height of the stored logo, in pixels. The page shows a logo with a height of 36 CSS pixels, and
 * screens have up to four device pixels for each CSS pixel.
 */
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
  // Aborts when there is too little memory. The library does the same when it cannot even report that error.
  if (error.message.includes('memory')) process.abort();
  process.stdout.write(error instanceof Unfit ? error.message : broken);
  process.exitCode = 2;
}

/**
 * Reads the header with the library that also decodes the picture, so that the check and the decoder see the same
 * size.
 */
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

/**
 * Whether a PNG is animated. The library does not report this, because it reads only the first frame. A PNG is a
 * signature of 8 bytes and then chunks. A chunk has the length of its content, a type of four letters, the content,
 * and a checksum. The types are read chunk by chunk, because the content of a still picture may contain the letters
 * `acTL` too.
 */
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
