import { findChromium } from '@tillhook/test/support/browser/chromium.ts';
import { type Browser, chromium } from 'playwright-core';
import { startChild } from '../../support/child.ts';
import { quantile } from '../../support/spread.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';

const about = `A fresh Chromium context for each load, nothing cached. Beside it Scalar’s page as its quick start has it, of the same
  contract, packed and from the same machine, without its fonts.`;

interface Load {
  kib: number;
  paintedMs: number;
}

export async function measureDocs(bench: Bench, total: number): Promise<Measured[]> {
  const api = await bench.startServer('api');
  const scalar = await startChild(bench.running, import.meta.resolve('./scalar-page.ts'));
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  bench.running.defer(() => browser.close());
  const page = new URL('/docs/reference/createCheckout', api.url).href;
  const weights: Round[] = [];
  const paints: Round[] = [];
  for (let round = 0; round <= bench.rounds; round++) {
    const baseline = await medianOf(browser, scalar.greeting, total);
    const tillhook = await medianOf(browser, page, total);
    // The first round is a warm-up.
    if (round === 0) continue;
    weights.push({ tillhook: tillhook.kib, baseline: baseline.kib });
    paints.push({ tillhook: tillhook.paintedMs, baseline: baseline.paintedMs });
  }
  await api.stop();
  await scalar.stop();
  const of = 'the documentation of an operation';
  const against = 'Scalar';
  return [
    figureOf({ name: `${of}, weight`, about: `As it was sent. ${about}`, unit: 'KiB', against }, weights),
    figureOf({ name: `${of}, first text`, about: `Until text is painted. ${about}`, unit: 'ms', against }, paints),
  ];
}

async function medianOf(browser: Browser, url: string, total: number): Promise<Load> {
  const loads: Load[] = [];
  for (let count = 0; count < total; count++) loads.push(await load(browser, url));
  return {
    kib: quantile(
      loads.map(({ kib }) => kib),
      0.5,
    ),
    paintedMs: quantile(
      loads.map(({ paintedMs }) => paintedMs),
      0.5,
    ),
  };
}

async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  // The page of Scalar is empty until its script has run.
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const paintedMs = (await painted.jsonValue()) ?? Number.NaN;
  await context.close();
  return { kib: bytes / 1024, paintedMs };
}
