import test from 'ava';
import { parse } from 'yaml';
import { containers, kustomization, ofKind, read } from './files.ts';

interface Example {
  scrape_configs: {
    job_name: string;
    kubernetes_sd_configs: { role: string; namespaces: { names: string[] } }[];
    relabel_configs: { source_labels: string[]; regex?: string; action?: string }[];
  }[];
}

const [job] = (parse(read('ops/prometheus/prometheus.kubernetes.yaml')) as Example).scrape_configs;
const kept = new Map(job?.relabel_configs.map(({ source_labels: [label = ''], regex }) => [label, regex]));

const labelOf = (annotation: string) =>
  `__meta_kubernetes_pod_annotation_${annotation.replaceAll(/[^A-Za-z0-9]/g, '_')}`;

test('the example configuration of Prometheus finds pods in the namespace of the manifests, and its job has the name that the alert rules expect', (t) => {
  t.is(job?.job_name, 'tillhook');
  t.deepEqual(job?.kubernetes_sd_configs, [{ role: 'pod', namespaces: { names: [kustomization.namespace] } }]);
});

test('the example configuration of Prometheus keeps the metrics port of API and worker pods, and no other port', (t) => {
  const port = kept.get('__meta_kubernetes_pod_container_port_name');
  const scraped = ofKind('Deployment').map(({ spec }) => spec.template?.metadata.annotations?.['prometheus.io/scrape']);

  t.deepEqual(scraped, [kept.get(labelOf('prometheus.io/scrape')), kept.get(labelOf('prometheus.io/scrape'))]);
  t.deepEqual(
    containers.flatMap(({ name, ports = [] }) => ports.filter((each) => each.name === port).map(() => name)),
    ['api', 'worker'],
  );
});

test('the example configuration of Prometheus names a namespace from which the network policies allow connections', (t) => {
  const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'prometheus-to-metrics');
  const [namespace] = JSON.stringify(policy).match(/(?<="kubernetes.io\/metadata.name":")[^"]+/) ?? [];

  t.true(read('ops/prometheus/prometheus.kubernetes.yaml').includes(`in the namespace \`${namespace}\``));
});
