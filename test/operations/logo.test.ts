import test from 'ava';
import { imageWithMetadataInItself, pngWithTexts } from '../support/images/harmful-images.ts';
import {
  animatedWebp,
  cmykJpeg,
  makeImage,
  sizeOfPng,
  turnedJpeg,
  withPngChunk,
  withPngSize,
} from '../support/images/images.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type SignedIn, signIn, userForFile } from '../support/users/session.ts';

// The tests run one after another, because the service refuses pictures while many wait to be decoded.
const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/settings/logo';

const upload = ({ call }: SignedIn, file: Buffer) =>
  call(path, { method: 'POST', json: { image: file.toString('base64') } });

async function uploaded(who: SignedIn, file: Buffer): Promise<{ response: Response; png: Buffer; logoUrl: string }> {
  const { logoUrl } = await (await upload(who, file)).json();
  const response = await fetch(logoUrl);
  return { response, png: Buffer.from(await response.arrayBuffer()), logoUrl };
}

for (const kind of ['png', 'jpeg', 'webp'] as const) {
  test.serial(`uploadLogo 200 turns a ${kind} into a PNG of at most 512 pixels a side`, async (t) => {
    const { response, png, logoUrl } = await uploaded(await signIn(server()), await makeImage(kind, 1200, 400));

    t.regex(logoUrl, new RegExp(`^${server().url}/checkout/assets/logo-[0-9a-f]{64}\\.png$`));
    t.is(response.status, 200);
    t.deepEqual(sizeOfPng(png), [512, 171]);
  });
}

test.serial(
  'uploadLogo 200 serves the logo with its media type and nosniff, and browsers may cache it for a year',
  async (t) => {
    const { response } = await uploaded(await signIn(server()), await makeImage('png', 10, 10));

    t.is(response.headers.get('content-type'), 'image/png');
    t.is(response.headers.get('x-content-type-options'), 'nosniff');
    t.is(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  },
);

test.serial('uploadLogo 200 serves the logo to mail programs of other origins, and no other file', async (t) => {
  const { response } = await uploaded(await signIn(server()), await makeImage('png', 10, 10));
  const other = await fetch(`${server().url}/checkout/assets/tokens.css`);

  t.is(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
  t.is(other.status, 200);
  t.is(other.headers.get('cross-origin-resource-policy'), 'same-origin');
});

test.serial('uploadLogo 200 keeps the pixels of a small picture, and none of its metadata', async (t) => {
  const secret = Buffer.from('Comment\0taken at 51.5 N 0.1 W');
  const file = withPngChunk(await makeImage('png', 40, 10), 'tEXt', secret);
  t.true(file.includes('51.5 N'));

  const { png } = await uploaded(await signIn(server()), file);

  t.deepEqual(sizeOfPng(png), [40, 10]);
  t.false(png.includes('51.5 N'));
  t.false(png.includes('tEXt'));
});

test.serial(
  'uploadLogo 200 for a PNG without animation whose text chunk contains the name of the animation chunk',
  async (t) => {
    const file = withPngChunk(await makeImage('png', 40, 10), 'tEXt', Buffer.from('Comment\0made from acTL'));

    const { response, png } = await uploaded(await signIn(server()), file);

    t.is(response.status, 200);
    t.deepEqual(sizeOfPng(png), [40, 10]);
  },
);

test.serial('uploadLogo 200 rotates a photograph as its metadata says', async (t) => {
  const { png } = await uploaded(await signIn(server()), turnedJpeg(await makeImage('jpeg', 1200, 400)));

  t.deepEqual(sizeOfPng(png), [171, 512]);
});

test.serial('uploadLogo 200 for a photograph in CMYK', async (t) => {
  const { response, png } = await uploaded(await signIn(server()), await cmykJpeg(600, 400));

  t.is(response.status, 200);
  t.deepEqual(sizeOfPng(png), [512, 341]);
});

test.serial('uploadLogo 200 for a picture of the maximum size', async (t) => {
  const { png } = await uploaded(await signIn(server()), await makeImage('png', 2048, 2048));

  t.deepEqual(sizeOfPng(png), [512, 512]);
});

test.serial(
  'uploadLogo 200 replaces the logo: customers see the new logo, and the page may load pictures only from this server',
  async (t) => {
    const ada = await signIn(server());
    const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 1 });
    const first = await uploaded(ada, await makeImage('png', 11, 13));

    const second = await uploaded(ada, await makeImage('png', 13, 11));
    const page = await fetch(data.checkoutUrl);
    const html = await page.text();

    t.not(second.logoUrl, first.logoUrl);
    t.true(html.includes(`<img class="logo" src="${new URL(second.logoUrl).pathname}" alt="">`));
    t.regex(page.headers.get('content-security-policy') ?? '', /img-src 'self' data:;/);
    t.is((await fetch(first.logoUrl)).status, 404);
  },
);

test.serial(
  'uploadLogo 200 for two merchants with the same picture; when the first merchant removes it, the second merchant keeps it',
  async (t) => {
    const [ada, grace] = [await signIn(server()), await signIn(server())];
    const file = await makeImage('png', 30, 30);
    const { logoUrl } = await uploaded(ada, file);
    t.is((await uploaded(grace, file)).logoUrl, logoUrl);

    await ada.call(path, { method: 'DELETE' });

    t.is((await fetch(logoUrl)).status, 200);
  },
);

test.serial(
  'uploadLogo 200 writes one audit entry, which belongs to no mode, and a refused file writes no entry',
  async (t) => {
    const ada = await signIn(server());
    await upload(ada, Buffer.from('no picture'));
    await upload(ada, await makeImage('png', 10, 10));

    const { auditEntries } = await (await ada.call('/api/v1/dashboard/audit-entries?action=uploadLogo')).json();

    t.is(auditEntries.length, 1);
    t.like(auditEntries[0], { action: 'uploadLogo', mode: null, subject: null });
  },
);

const goodFiles = async () => ({
  small: await makeImage('png', 100, 100),
  jpeg: await makeImage('jpeg', 600, 400),
  webp: await makeImage('webp', 600, 400),
});
type GoodFiles = Awaited<ReturnType<typeof goodFiles>>;

const broken = 'image is broken: the picture could not be read to its end';
const tooMuchWork =
  'image takes too much memory or time to read: save it again as a PNG or JPEG with fewer pixels and no metadata';
const wrongKind = 'image must be a picture of the kind PNG, JPEG or WebP';
const animated = 'image must not be animated';
const size = 'image must have at most 4,096 pixels a side and 4,194,304 pixels in all, and has';

const refused: [situation: string, make: (files: GoodFiles) => Buffer | Promise<Buffer>, message: string][] = [
  ['the file is SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), wrongKind],
  ['the file is GIF', () => Buffer.from('GIF89a\u0001\0\u0001\0'), wrongKind],
  ['the file is not a picture', () => Buffer.from('%PDF-1.7 and so on'), wrongKind],
  ['a PNG has only its signature', ({ small }) => small.subarray(0, 8), broken],
  ['a PNG ends early', ({ small }) => small.subarray(0, small.length - 60), broken],
  ['a JPEG ends early', ({ jpeg }) => jpeg.subarray(0, jpeg.length - 200), broken],
  ['a WebP ends early', ({ webp }) => webp.subarray(0, webp.length - 20), broken],
  ['a PNG is 20,000 pixels wide', ({ small }) => withPngSize(small, 20_000, 1), `${size} 20,000 × 1`],
  ['a PNG has too many pixels', ({ small }) => withPngSize(small, 2049, 2048), `${size} 2,049 × 2,048`],
  ['a PNG has no pixels', ({ small }) => withPngSize(small, 0, 100), broken],
  ['a PNG declares more pixels than it has', ({ small }) => withPngSize(small, 2048, 2048), broken],
  ['a PNG is animated', ({ small }) => withPngChunk(small, 'acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), animated],
  [
    'a PNG is animated, and a text chunk contains the name of the pixel chunk',
    ({ small }) =>
      withPngChunk(
        withPngChunk(small, 'acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
        'tEXt',
        Buffer.from('Comment\0IDAT'),
      ),
    animated,
  ],
  ['a PNG takes too much memory', () => pngWithTexts('zTXt', 33), tooMuchWork],
  ['a JPEG takes too much processor time', () => imageWithMetadataInItself('jpeg'), tooMuchWork],
  ['a WebP is animated', () => animatedWebp(), animated],
  [
    'a file has more than 256 KiB',
    ({ small }) => Buffer.concat([small, Buffer.alloc(262_145 - small.length)]),
    'image must have at most 256 KiB',
  ],
];

for (const [situation, make, message] of refused) {
  test.serial(`uploadLogo 400 when ${situation}, and the logo does not change`, async (t) => {
    const ada = await signIn(server());
    const files = await goodFiles();
    const { logoUrl } = await uploaded(ada, files.small);

    const response = await upload(ada, await make(files));

    t.is(response.status, 400);
    const body = await response.json();
    t.is(body.message, message);
    t.like(body.error, { code: 'invalid_parameter', param: 'image' });
    t.is((await (await ada.call('/api/v1/dashboard/settings')).json()).logoUrl, logoUrl);
  });
}

test.serial('uploadLogo 400 for text that is not base64', async (t) => {
  const response = await (await sharedUser()).call(path, {
    method: 'POST',
    json: { image: 'data:image/png;base64,iVBO' },
  });

  t.is(response.status, 400);
  t.is((await response.json()).message, 'image must be base64');
});

test.serial(
  'uploadLogo 429 for the third concurrent upload of a merchant, and another merchant does not wait',
  async (t) => {
    const [ada, grace] = [await signIn(server()), await signIn(server())];
    const file = await makeImage('png', 2048, 2048);

    const ofAda = Array.from({ length: 12 }, () => upload(ada, file));
    const ofGrace = await upload(grace, file);
    const answers = await Promise.all(ofAda);

    t.is(ofGrace.status, 200);
    const statuses = answers.map(({ status }) => status);
    t.deepEqual([...new Set(statuses)].sort(), [200, 429]);
    // More than two uploads may succeed, because an upload takes the place of a picture that has been decoded.
    t.true(statuses.filter((status) => status === 200).length >= 2);
    const limited = answers.find(({ status }) => status === 429);
    t.is(limited?.headers.get('retry-after'), '1');
    t.regex((await limited?.text()) ?? '', /"message":"Your other pictures are being read; try again"/);
    t.is((await upload(ada, file)).status, 200);
  },
);

test.serial('uploadLogo 404 for a logo that no merchant has, and for a file name that is not a hash', async (t) => {
  for (const name of [`logo-${'0'.repeat(64)}.png`, 'logo-1.png', 'logo-.png', `logo-${'A'.repeat(64)}.png`]) {
    t.is((await fetch(`${server().url}/checkout/assets/${name}`)).status, 404, name);
  }
});

test.serial(
  'uploadLogo 413 for a body of more than 384 KiB, and other operations keep their limit of 100 KiB',
  async (t) => {
    const ada = await sharedUser();

    const response = await ada.call(path, { method: 'POST', json: { image: 'A'.repeat(393_216) } });
    const other = await ada.call('/api/v1/dashboard/settings', {
      method: 'PATCH',
      json: { name: 'A'.repeat(102_400) },
    });

    t.is(response.status, 413);
    t.is((await response.json()).message, 'The request body is larger than 384 KiB');
    t.is((await other.json()).message, 'The request body is larger than 100 KiB');
  },
);

test('removeLogo 200 removes the logo from its URL and from the checkout page', async (t) => {
  const ada = await signIn(server());
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 1 });
  const image = (await makeImage('png', 31, 17)).toString('base64');
  const { logoUrl } = await (await ada.call(path, { method: 'POST', json: { image } })).json();
  t.true((await (await fetch(data.checkoutUrl)).text()).includes('class="logo"'));

  const response = await ada.call(path, { method: 'DELETE' });

  t.is(response.status, 200);
  t.is((await response.json()).logoUrl, null);
  t.false((await (await fetch(data.checkoutUrl)).text()).includes('class="logo"'));
  t.is((await fetch(logoUrl)).status, 404);
  const { auditEntries } = await (await ada.call('/api/v1/dashboard/audit-entries?action=removeLogo')).json();
  t.is(auditEntries.length, 1);
});

test('removeLogo 200 without a logo changes nothing', async (t) => {
  const response = await (await signIn(server())).call(path, { method: 'DELETE' });

  t.is(response.status, 200);
  t.is((await response.json()).logoUrl, null);
});
