/** Elements are found by a CSS selector and by the name that people read: the label or the text. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';
import type { Driver, RunningBrowser } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { missingPackages, type OtherBrowser, otherBrowsers } from './installed-browsers.ts';
import { startWebKit } from './webkit.ts';

const script = readFileSync(new URL('assets/find-elements.js', import.meta.url), 'utf8');
const start = { Firefox: startFirefox, WebKit: startWebKit };

/** If a browser is not installed, its tests are skipped; with CI=true they fail. */
export function inOtherBrowsers(): (title: string, steps: (t: ExecutionContext, tab: Tab) => Promise<void>) => void {
  const running = new Map<OtherBrowser, Promise<RunningBrowser>>();
  test.after.always(async () => {
    for (const browser of running.values()) await (await browser)[Symbol.asyncDispose]();
  });
  return (title, steps) => {
    for (const name of otherBrowsers) {
      const isHere = missingPackages(name).length === 0 || process.env.CI === 'true';
      const declare = isHere ? test.serial : test.serial.skip;
      declare(`${title} (${name})`, async (t) => {
        // A test of many pages reports nothing while it runs, so ava would end the test after its default timeout.
        t.timeout(300_000);
        const browser = running.get(name) ?? start[name]();
        running.set(name, browser);
        const { openTab, version } = await browser;
        t.log(`${name} ${version}`);
        const driver = await openTab();
        t.teardown(() => driver.close());
        try {
          await steps(t, new Tab(driver));
        } catch (error) {
          await keepPicture(t, driver);
          throw error;
        }
      });
    }
  };
}

/** WebKit may never return a picture, and the test's own error must be reported then too. */
async function keepPicture(t: ExecutionContext, driver: Driver): Promise<void> {
  const picture = await Promise.race([driver.picture(), setTimeout(10_000, null, { ref: false })]);
  if (picture === null) return;
  const file = join(folder, `${t.title.replaceAll(/\W+/g, '-')}.png`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, Buffer.from(picture, 'base64'));
  t.log(`The page looked like ${file}`);
}

const folder = fileURLToPath(new URL('../../../reports/browsers/', import.meta.url));

const keys = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Shift: '\ue008',
  Escape: '\ue00c',
  End: '\ue010',
  Home: '\ue011',
  ArrowLeft: '\ue012',
  ArrowUp: '\ue013',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
};

export type Key = keyof typeof keys;

export class Tab {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  goto(url: string): Promise<unknown> {
    return this.#driver.goto(url);
  }

  back(): Promise<unknown> {
    return this.#driver.back();
  }

  /** The expression can call `person.find(selector, name)`. */
  run<Value>(expression: string): Promise<Value> {
    return this.#driver.evaluate(`(() => { ${script}; return (${expression}); })()`) as Promise<Value>;
  }

  address(): Promise<string> {
    return this.run('location.href');
  }

  async see(selector: string, name?: string): Promise<void> {
    await eventually(() => this.run(`person.whatIsShown(${asArguments(selector, name)})`), 'it');
  }

  async seeNot(selector: string, name?: string): Promise<void> {
    await eventually(() => this.run(`person.find(${asArguments(selector, name)}).length`), 0);
  }

  /** Waits for the element, because a script may create it later, and for the end of the page, because it may hold more text. */
  async text(selector: string): Promise<string> {
    const texts = `document.readyState === 'loading' ? [] : person.find(${asArguments(selector)}).slice(0, 1).map(({ innerText }) => innerText)`;
    const [text = ''] = await eventually(
      () => this.run<string[]>(texts),
      ({ length }) => length > 0,
    );
    return text;
  }

  focused(): Promise<string> {
    return this.run(`document.activeElement.tagName.toLowerCase() + ' ' + person.nameOf(document.activeElement)`);
  }

  async focus(selector: string, name?: string): Promise<void> {
    await this.see(selector, name);
    await this.run(`person.find(${asArguments(selector, name)})[0].focus()`);
  }

  /** Waits until the element no longer moves and nothing covers it. */
  async click(selector: string, name?: string): Promise<void> {
    const place = `person.placeOf(${asArguments(selector, name)})`;
    const found = await eventually(() => this.run<number[] | string>(place), Array.isArray);
    await this.clickAt(found as number[]);
  }

  clickAt([x, y]: readonly number[]): Promise<unknown> {
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    return this.#driver.perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
  }

  async press(...pressed: readonly Key[]): Promise<void> {
    for (const key of pressed) await this.#send([keys[key]]);
  }

  write(text: string): Promise<unknown> {
    return this.#send([...text]);
  }

  async fill(selector: string, text: string, name?: string): Promise<void> {
    await this.click(selector, name);
    await this.run('document.activeElement.select?.()');
    await this.write(text);
  }

  #send(typed: readonly string[]): Promise<unknown> {
    const actions = typed.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    return this.#driver.perform([{ type: 'key', id: 'keyboard', actions }]);
  }
}

const asArguments = (...given: readonly (string | undefined)[]) =>
  given.flatMap((one) => (one === undefined ? [] : [JSON.stringify(one)])).join(', ');
