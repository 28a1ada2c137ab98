const pauseMs = 10;
const patienceMs = 60_000;

/** Resolves as soon as the condition holds; throws when it does not come true in a long time. */
export async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`This never came true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
