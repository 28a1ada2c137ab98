import type { TestServer } from './tillhook.ts';

/** The current values at `/metrics`, by name and labels, such as `tillhook_job_runs_total{job_name="deliver"}`. */
export async function figuresOf({ url }: Pick<TestServer, 'url'>): Promise<Map<string, number>> {
  return figuresIn(await (await fetch(`${url}/metrics`)).text());
}

function figuresIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
