/**
 * A program that reads a picture from its standard input, and writes a new PNG to its standard output. Only the pixels are
 * kept, so the PNG has no metadata and nothing else that the file contained. A file that is no picture for a logo ends the
 * program with the exit code 2, and the output is then a sentence that continues "image", for the person who chose the file.
 * See docs/decisions/checkout-page.md, "Pictures are decoded by sharp, whose libvips is under the LGPL".
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** In pixels. */
const longestSide = 4096;
const mostPixels = 4_194_304;

/** In pixels. The page shows a logo at 36 pixels high, and screens have up to four pixels for each. */
const longestKeptSide = 512;

/**
 * Choice: programs write a JPEG in about ten scans. A scan of a few bytes can take the time of the whole picture. Their
 * marker may also stand in metadata, so this counts too many rather than too few.
 */
const mostScans = 100;
const beginningOfScan = Buffer.from([0xff, 0xda]);

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
  process.stdout.write(error instanceof Unfit ? error.message : broken);
  process.exitCode = 2;
}

/** Reads the header by the library that also decodes, so that no file has one size here and another one there. */
async function inspect(bytes: Buffer): Promise<void> {
  const {
    format,
    width,
    height,
    pages = 1,
  } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: Error) => {
      throw error.message.includes('unsupported')
        ? new Unfit('must be a picture of the kind PNG, JPEG or WebP')
        : error;
    });
  if (Math.max(width, height) > longestSide || width * height > mostPixels) {
    const most = `at most ${inWords(longestSide)} pixels a side and ${inWords(mostPixels)} pixels in all`;
    throw new Unfit(`must have ${most}, and has ${inWords(width)} × ${inWords(height)}`);
  }
  if (pages > 1 || (format === 'png' && isAnimatedPng(bytes))) throw new Unfit('must not be animated');
  if (format === 'jpeg' && hasTooManyScans(bytes)) {
    throw new Unfit(`is a JPEG of more than ${mostScans} scans: save it as an ordinary JPEG or as a PNG`);
  }
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}

/** The library does not say it, because it reads only the first picture. */
function isAnimatedPng(bytes: Buffer): boolean {
  return bytes.includes('acTL') && bytes.indexOf('acTL') < bytes.indexOf('IDAT');
}

function hasTooManyScans(bytes: Buffer): boolean {
  let at = -1;
  for (let scans = 0; scans <= mostScans; scans += 1) {
    at = bytes.indexOf(beginningOfScan, at + 1);
    if (at < 0) return false;
  }
  return true;
}

async function redraw(bytes: Buffer): Promise<Buffer> {
  return (
    sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
      // The picture is turned as its metadata says, because the metadata is not kept.
      .autoOrient()
      .resize({ width: longestKeptSide, height: longestKeptSide, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  );
}
