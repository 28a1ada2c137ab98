/**
 * A program that reads a picture from its standard input, and writes a new PNG to its standard output. Only the pixels
 * are kept, so the PNG has no metadata and nothing else that the file contained. A file that is no picture for a logo
 * ends the program with the exit code 2, and the output is then a sentence that continues "image", for the person who
 * chose the file. It is JavaScript, because Node.js needs WebAssembly to remove types. WebAssembly reserves half a
 * gigabyte of address space, and the limit of memory counts that.
 * See docs/decisions/checkout-page.md, "Pictures are decoded by sharp, whose libvips is under the LGPL".
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** In pixels. */
const maxSide = 4096;
const maxPixels = 4_194_304;

/** In pixels. The page shows a logo with a height of 36 pixels, and screens have up to four pixels for each of them. */
const maxKeptSide = 512;

const broken = 'is broken: the picture could not be read to its end';

class Unfit extends Error {}

// The library also reads kinds of files that are programs or name other files.
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
  // Ends as the library does when it gets no more memory and has no room to say so: it aborts the program.
  if (error.message.includes('memory')) process.abort();
  process.stdout.write(error instanceof Unfit ? error.message : broken);
  process.exitCode = 2;
}

/** Reads the header with the library that also decodes the picture, so that both find the same size. */
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
 * Whether a PNG is animated. The library does not say it, because it reads only the first picture. A PNG is a signature
 * of 8 bytes and then chunks: the length of the content, four letters, the content, and a checksum. The texts of a
 * still picture may contain the letters.
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
      // The picture is turned as its metadata says, because the metadata is not kept.
      .autoOrient()
      .resize({ width: maxKeptSide, height: maxKeptSide, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  );
}
