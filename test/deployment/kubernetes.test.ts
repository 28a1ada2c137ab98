import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { createMetrics } from '@tillhook/server/src/telemetry/metrics/metrics.ts';
import test from 'ava';
import {
  commandOf,
  containers,
  generatedSettings,
  imageEnvironment,
  kubernetesFiles,
  kustomization,
  manifestOfRoot,
  objects,
  objectsOf,
  ofKind,
  probePaths,
  read,
} from './files.ts';
import { problemsOfManifest } from './schemas.ts';

const config = loadConfig(generatedSettings);
const processes = ofKind('Deployment').map(({ metadata: { name }, spec }) => ({
  name,
  template: spec.template,
  container: spec.template?.spec.containers[0],
}));
const labelsOfPods = [...ofKind('Deployment'), ...ofKind('Job')].map(
  ({ spec }) => spec.template?.metadata.labels ?? {},
);

/** Files of the folder that `kubectl apply -k` does not apply. */
const notApplied = ['kustomization.yaml', 'prometheus-adapter.example.yaml', 'secret.example.yaml', 'settings.env'];

test('the kustomization lists every manifest, and no example', (t) => {
  t.deepEqual([...kustomization.resources, ...notApplied].toSorted(), kubernetesFiles.toSorted());
});

for (const { file, ...object } of [...objects, ...objectsOf('secret.example.yaml')]) {
  test(`${file}: ${object.kind} ${object.metadata.name} matches the schema of Kubernetes`, (t) => {
    t.deepEqual(problemsOfManifest(object), []);
  });
}

test('the schemas report a wrong value and an unknown field in a manifest', (t) => {
  const [job] = ofKind('Job').map(({ file: _file, ...object }) => object);
  const changed = (change: object) => problemsOfManifest({ ...job, ...change } as never).length;

  t.is(changed({}), 0);
  t.is(changed({ spec: { ...job?.spec, backoffLimit: 'six' } }), 1);
  t.is(changed({ spec: { ...job?.spec, backOffLimit: 6 } }), 1);
  t.is(changed({ kind: 'Jobs' }), 1);
});

test('the API and the worker each have a deployment that sets ROLE, an autoscaler and a disruption budget', (t) => {
  const names = ['tillhook-api', 'tillhook-worker'];

  t.deepEqual(
    processes.map(({ name }) => name),
    names,
  );
  t.deepEqual(
    ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef?.name),
    names,
  );
  t.deepEqual(
    ofKind('PodDisruptionBudget').map(
      ({ spec }) => `tillhook-${spec.selector?.matchLabels?.['app.kubernetes.io/component']}`,
    ),
    names,
  );
  for (const { name, container } of processes)
    t.deepEqual(container?.env, [{ name: 'ROLE', value: name.replace('tillhook-', '') }]);
});

test('the migration job runs the command of npm run db:migrate', (t) => {
  const [job] = ofKind('Job');

  t.deepEqual(job?.spec.template?.spec.containers[0]?.command, commandOf('db:migrate'));
});

for (const { name, template, container } of processes) {
  test(`${name}: the ports, the probes and the URL of the metrics are the same as in the service`, (t) => {
    const port = Number(imageEnvironment().PORT);
    const { startupProbe, livenessProbe, readinessProbe } = container ?? {};
    const annotations = template?.metadata.annotations ?? {};

    t.deepEqual(container?.ports, [
      { name: 'http', containerPort: port },
      { name: 'metrics', containerPort: config.metricsPort },
    ]);
    t.deepEqual(
      [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet),
      ['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'http' })),
    );
    for (const probe of [startupProbe, livenessProbe, readinessProbe])
      t.true(probePaths.includes(probe?.httpGet.path ?? ''));
    t.is(annotations['prometheus.io/port'], String(config.metricsPort));
    t.true(read('server/src/telemetry/metrics/metrics.routes.ts').includes(`'${annotations['prometheus.io/path']}'`));
  });

  test(`${name}: a pod gets the grace time that the service needs`, (t) => {
    const pauseSeconds = Number(container?.lifecycle?.preStop.exec.command[1] ?? 0);
    const seconds = template?.spec.terminationGracePeriodSeconds ?? 0;

    t.true(seconds >= pauseSeconds + config.shutdownGraceMs / 1000 + 5, `only ${seconds} seconds`);
  });

  test(`${name}: the readiness probe waits longer than the service waits for the database`, (t) => {
    const [, limitMs] = /const readinessMs = (\d+)/.exec(read('server/src/start/service.ts')) ?? [];

    t.true((container?.readinessProbe?.timeoutSeconds ?? 0) * 1000 > Number(limitMs));
  });
}

test('every container runs without root and without capabilities, has a read-only file system, and requests resources', (t) => {
  const pods = [...ofKind('Deployment'), ...ofKind('Job')];
  const [, account] = /^USER (\d+):/m.exec(read('Dockerfile')) ?? [];

  for (const { spec } of pods)
    t.like(spec.template?.spec.securityContext, { runAsNonRoot: true, runAsUser: Number(account) });
  for (const { securityContext, resources } of containers) {
    t.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    t.regex(resources?.requests.cpu ?? '', /^\d+m$/);
    t.regex(resources?.requests.memory ?? '', /^\d+Mi$/);
  }
  t.is(containers.length, 3);
});

test('all containers have the image that the kustomization names, in the version of this repository', (t) => {
  const [image] = kustomization.images;

  t.deepEqual(new Set(containers.map((container) => container.image)), new Set([image?.name]));
  t.is(image?.newTag, manifestOfRoot.version);
});

test('every selector in the manifests finds pods', (t) => {
  const selectors = objects.flatMap(({ kind, metadata, spec }) => {
    if (kind === 'Service') return [{ name: metadata.name, labels: spec.selector as Record<string, string> }];
    const labels = spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels;
    return labels ? [{ name: metadata.name, labels }] : [];
  });

  for (const { name, labels } of selectors) {
    const isOf = (pod: Record<string, string>) => Object.entries(labels).every(([key, value]) => pod[key] === value);
    t.true(labelsOfPods.some(isOf), name);
  }
  t.is(selectors.length, 10);
});

test('the ingress forwards PUBLIC_URL to the port of the service', (t) => {
  const [service] = ofKind('Service');
  const [ingress] = ofKind('Ingress');
  const [rule] = ingress?.spec.rules ?? [];

  t.deepEqual(rule?.http.paths[0]?.backend.service, {
    name: service?.metadata.name,
    port: { name: service?.spec.ports?.[0]?.name },
  });
  t.is(service?.spec.ports?.[0]?.targetPort, 'http');
  t.is(config.publicUrl, `https://${rule?.host}`);
  t.deepEqual(ingress?.spec.tls?.[0]?.hosts, [rule?.host]);
});

test('the workers are scaled by processor time and by a metric that the service exports and the Prometheus adapter reads', async (t) => {
  const [api, worker] = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.metrics ?? []);
  const figures = await createMetrics().text();
  const adapter = read('ops/kubernetes/prometheus-adapter.example.yaml');
  const name = worker?.[1]?.external?.metric.name;
  const used = new Set(adapter.match(/\b(tillhook|delivery)_[a-z_]+/g));

  for (const metrics of [api, worker]) t.like(metrics?.[0], { type: 'Resource', resource: { name: 'cpu' } });
  t.is(name, 'delivery_due_seconds');
  t.true(adapter.includes(`name: { as: ${name} }`));
  for (const figure of used) t.regex(figures, new RegExp(`^# TYPE ${figure} `, 'm'), figure);
  t.deepEqual(used, new Set(['delivery_due_seconds', 'tillhook_deliveries_held']));
});
