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
<h2>Where and when</h2>
${circumstances(report)}
<h2>What was measured</h2>
${figures.map(explanation)}</main>`,
  });
}

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
