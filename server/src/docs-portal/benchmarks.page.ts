import { type Html, html } from '../kit/html.ts';
import { type BenchReport, cpuText, type Figure, isReached, ratioText, targetText, valueText } from './figures.ts';
import { layout } from './layout.ts';

/** How fast it is and beside what, on which machine, and whether each target was reached. */
export function benchmarksPage(report: BenchReport, base: string): Html {
  const { figures } = report;
  const judged = figures.filter(({ target }) => target);
  const reached = judged.filter((figure) => isReached(figure));
  return layout({
    title: 'Benchmarks',
    base,
    body: html`<main class="docs wide">
<h1>Benchmarks</h1>
<p>One run of <code>npm run bench</code>, every contender a process of its own on one machine and one Postgres. Rates depend on
the machine; the ratios, taken within each round, are what can be compared. Each value is the median of the rounds, with the
least and the most in parentheses. ${reached.length} of ${judged.length} targets were reached.</p>
<div class="scrolled" role="region" aria-label="Figures" tabindex="0"><table>
<thead><tr><th scope="col">Figure</th><th scope="col">Ratio</th><th scope="col">Target</th><th scope="col">Tillhook</th>
<th scope="col">Beside it</th></tr></thead>
<tbody>
${figures.map(row)}</tbody>
</table></div>
${bounds}
<h2>Where and when</h2>
${circumstances(report)}
<h2>What was measured</h2>
${figures.map(explanation)}</main>`,
  });
}

const bounds = html`<h2>What bounds it</h2>
<p>A delivery costs a worker, Postgres and a receiver, and here all three share the cores. Of the worker’s time in a profile of
the drain two fifths are undici’s and the system’s for the POST itself, which the raw sender spends as well; a seventh is the
driver’s of Postgres, a twelfth the two signatures, a twentieth the collector’s of garbage, and the rest is choosing, answers
and results. The job engines do the bare POST and nothing of that: no signature, no log of attempts, no fairness between
endpoints. What an endpoint may have in flight keeps the figure for a single one lower: its batches are small.</p>
<p>Tried without gain: HMAC by one-shot hashes, which cost the same, and two to three times as much claimed ahead, which is within
the noise. Results that waited 20 ms for each other instead of 5 spared Postgres a tenth for a single endpoint and nothing for twenty; they
wait 10, because what waits is sent again when the process dies.
Twenty times Agenda is about what undici itself sends here.</p>
<p>From commit to receipt there are four round trips, one after the other: the commit’s answer, the notification, the claim and
the POST. The latency is shown beside one of them. A bell inside the transaction would spare one, and have payments wait for
each other’s commits. A checkout makes seven round trips to Postgres where the bare one makes four: the key, the limit, the
transaction’s two, the lock of its Idempotency-Key, and the two rows.</p>`;

function row(figure: Figure): Html {
  const { name, unit, tillhook, against, baseline } = figure;
  return html`<tr><th scope="row">${name}</th><td>${ratioText(figure)}</td><td>${verdict(figure)}</td>
<td>${valueText(tillhook, unit)}</td><td>${against && html`${against}<br>${valueText(baseline, unit)}`}</td></tr>
`;
}

function verdict(figure: Figure): Html | false {
  const isMet = isReached(figure);
  return isMet !== undefined && html`${targetText(figure)}<br><b>${isMet ? 'reached' : 'missed'}</b>`;
}

function circumstances({ machine, versions, settings, measuredAt }: BenchReport): Html {
  const { cpu, cores, memoryGiB, system, loadBefore } = machine;
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const given = Object.entries(settings).map(([name, size]) => `${name} ${size.toLocaleString('en')}`);
  return html`<dl>
<dt>When</dt><dd><time datetime="${measuredAt}">${measuredAt.slice(0, 10)}</time></dd>
<dt>Machine</dt><dd>${cores} × ${cpu}, ${memoryGiB} GiB, ${system}; load average before the run ${loadBefore.toFixed(2)}</dd>
<dt>Versions</dt><dd>${used.join(', ')}</dd>
<dt>Settings</dt><dd>${given.join(', ')}</dd>
</dl>`;
}

function explanation({ name, about, cpuMicros, against }: Figure): Html {
  const ours = cpuText(cpuMicros?.tillhook);
  const theirs = cpuText(cpuMicros?.baseline);
  return html`<section><h3>${name}</h3><p>${about}</p>
${ours && html`<p class="statuses">CPU time for each, in µs. Tillhook: ${ours}.${theirs && html` ${against}: ${theirs}.`}</p>`}</section>
`;
}
