import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const read = (path: string): string => readFileSync(root + path, 'utf8');

export const manifestOfRoot: { version: string; workspaces: string[]; scripts: Record<string, string> } = JSON.parse(
  read('package.json'),
);

/** Omits the `--import` of a module that ends the command when npm ends, because a container has no npm. */
export function commandOf(script: string): string[] {
  return (manifestOfRoot.scripts[script] ?? '').split(' ').filter((word) => !word.startsWith('--import='));
}

export interface ComposeService {
  image: string;
  build?: string;
  environment?: Record<string, string | number>;
  command?: string[];
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

export function readCompose(): { services: Record<string, ComposeService>; volumes: object } {
  const text = read('compose.yaml').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  return parse(text, { merge: true });
}

export interface Probe {
  httpGet: { path: string; port: string };
  timeoutSeconds?: number;
}

export interface ContainerSpec {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value: string }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  resources?: { requests: { cpu: string; memory: string }; limits: { memory: string } };
  securityContext?: object;
}

interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: { containers: ContainerSpec[]; securityContext: object; terminationGracePeriodSeconds?: number };
}

export interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
}

export interface KubernetesObject {
  file: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  stringData?: Record<string, string>;
  spec: {
    template?: PodTemplate;
    selector?: Record<string, unknown> & { matchLabels?: Record<string, string> };
    podSelector?: { matchLabels?: Record<string, string> };
    policyTypes?: string[];
    ports?: { name: string; port: number; targetPort: string }[];
    scaleTargetRef?: { kind: string; name: string };
    metrics?: { type: string; resource?: { name: string }; external?: { metric: { name: string } } }[];
    ingress?: { ports: { port: string | number }[] }[];
    egress?: { to: Peer[]; ports?: { port: number }[] }[];
    tls?: { hosts: string[] }[];
    rules?: {
      host: string;
      http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
    }[];
  };
}

const kubernetes = 'ops/kubernetes';

export const kubernetesFiles = readdirSync(`${root}${kubernetes}`);

export const kustomization: {
  namespace: string;
  resources: string[];
  configMapGenerator: { name: string; envs: string[] }[];
  images: { name: string; newTag: string }[];
} = parse(read(`${kubernetes}/kustomization.yaml`));

export function objectsOf(file: string): KubernetesObject[] {
  return parseAllDocuments(read(`${kubernetes}/${file}`)).map((document) => ({ file, ...document.toJS() }));
}

export const objects: readonly KubernetesObject[] = kustomization.resources.flatMap(objectsOf);

export const ofKind = (kind: string): KubernetesObject[] => objects.filter((object) => object.kind === kind);

export const containers: readonly ContainerSpec[] = objects.flatMap(
  ({ spec }) => spec?.template?.spec.containers ?? [],
);

export const generatedSettings: Record<string, string> = Object.fromEntries(
  read(`${kubernetes}/settings.env`)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/=(.*)/s).slice(0, 2)),
);

export interface Instruction {
  name: string;
  rest: string;
}

export function readDockerfile(): Instruction[] {
  const lines = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return { name, rest };
  });
}

export function imageEnvironment(): Record<string, string> {
  const pairs = readDockerfile().flatMap(({ name, rest }) => (name === 'ENV' ? rest.split(' ') : []));
  return Object.fromEntries(pairs.map((pair) => pair.split('=')));
}

/** The paths of the service that belong to no operation. */
export const probePaths: readonly string[] = [
  ...read('server/src/api/probes.ts').matchAll(/router\.get\('([^']+)'/g),
].map(([, path = '']) => path);
