/**
 * A limit is waited for in this number of parts. Each part counts once, however late this process notices its end. An
 * answer that this process reads in several turns, such as that of a new connection, needs far fewer turns than this.
 */
const parts = 50;

/**
 * Waits for the answer of another party, and fails with `late` after this time. Time in which this process was too busy to
 * read an answer does not count: it would say nothing about the other party.
 */
export function inOwnTime<Answer>(limitMs: number, answer: Promise<Answer>, late: () => Error): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let partsLeft = parts;
    const timer = setInterval(() => {
      partsLeft -= 1;
      if (partsLeft > 0) return;
      stop();
      reject(late());
    }, limitMs / parts);
    const stop = () => clearInterval(timer);
    void answer.then(resolve, reject).then(stop);
  });
}
