export interface Check {
  title: string;
  /** A text that is passed to `remark` is printed after the title of the check. */
  run(remark: (text: string) => void): Promise<void>;
}

export async function runChecks(
  checks: readonly Check[],
  atATime: number,
): Promise<{ passed: number; failed: number }> {
  const waiting = [...checks];
  const counts = { passed: 0, failed: 0 };
  async function work(): Promise<void> {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      counts[(await isPassed(check)) ? 'passed' : 'failed']++;
    }
  }
  await Promise.all(Array.from({ length: atATime }, work));
  return counts;
}

async function isPassed({ title, run }: Check): Promise<boolean> {
  const startedAt = performance.now();
  let remarked = '';
  try {
    await run((text) => {
      remarked = `: ${text}`;
    });
    console.log(`✔ ${title}${remarked} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    console.log(`✘ ${title}\n${String(error instanceof Error ? error.message : error).replaceAll(/^/gm, '    ')}`);
    return false;
  }
}
