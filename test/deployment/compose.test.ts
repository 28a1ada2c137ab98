import { existsSync } from 'node:fs';
import { loadConfig } from '@tillhook/server/src/config/config.ts';
import test from 'ava';
import { commandOf, imageEnvironment, probePaths, read, readCompose, root } from './files.ts';
import { problemsOfCompose } from './schemas.ts';

const file = readCompose();
const { services } = file;
const proxySettings = read('ops/compose/haproxy.cfg');

test('compose.yaml matches the compose specification', (t) => {
  t.deepEqual(problemsOfCompose(file), []);
  t.not(problemsOfCompose({ ...file, services: { ...services, api: { ...services.api, command: 7 } } }).length, 0);
  t.not(problemsOfCompose({ ...file, service: {} }).length, 0);
});

test('one service builds the image of Tillhook, and the other services of Tillhook use this image', (t) => {
  const ours = Object.entries(services).filter(([, { image }]) => image === services.api?.image);

  t.deepEqual(
    ours.filter(([, { build }]) => build).map(([name]) => name),
    ['migrate'],
  );
  t.is(ours.length, 4);
});

test('compose.yaml has two API processes, two workers, Postgres, MongoDB, a proxy, a migration and a demo merchant', (t) => {
  const replicas = Object.entries(services).map(([name, { deploy }]) => [name, deploy?.replicas ?? 1]);

  t.deepEqual(Object.fromEntries(replicas), {
    api: 2,
    worker: 2,
    migrate: 1,
    demo: 1,
    proxy: 1,
    postgres: 1,
    mongo: 1,
  });
});

test('each service waits for the services that it needs, and the processes wait for the end of the migration', (t) => {
  const waits = Object.entries(services).map(([name, { depends_on = {} }]) => [
    name,
    Object.entries(depends_on).map(([other, { condition }]) => `${other} ${condition}`),
  ]);
  const ofProcess = ['migrate service_completed_successfully', 'mongo service_healthy'];

  t.deepEqual(Object.fromEntries(waits), {
    api: ofProcess,
    worker: ofProcess,
    migrate: ['postgres service_healthy'],
    demo: ['migrate service_completed_successfully'],
    proxy: ['api service_healthy'],
    postgres: [],
    mongo: [],
  });
});

test('every service that keeps running has a health check, and the health checks of our processes call an existing probe', (t) => {
  const unchecked = Object.entries(services).filter(([, { healthcheck }]) => !healthcheck);
  const healthchecks = ['api', 'worker'].map((name) => services[name]?.healthcheck?.test);

  t.deepEqual(unchecked.map(([name]) => name).toSorted(), ['demo', 'migrate']);
  for (const [kind, program, script = '', path = ''] of healthchecks as string[][]) {
    t.deepEqual([kind, program], ['CMD', 'node']);
    t.true(existsSync(root + script), script);
    t.true(probePaths.includes(path), path);
  }
});

test('the services of compose.yaml run the commands of the npm scripts', (t) => {
  t.deepEqual(services.migrate?.command, commandOf('db:migrate'));
  t.deepEqual(services.demo?.command, commandOf('db:seed'));
  t.deepEqual([services.api?.command, services.worker?.command], [undefined, undefined]);
});

test('our containers have a read-only file system and no capabilities, and get the grace time that the service needs', (t) => {
  const own = Object.values(services).filter(({ image }) => image === 'tillhook');

  t.is(own.length, 4);
  for (const { read_only, cap_drop } of own) t.deepEqual([read_only, cap_drop], [true, ['ALL']]);
  for (const name of ['api', 'worker'])
    t.true(Number.parseInt(services[name]?.stop_grace_period ?? '', 10) * 1000 > loadConfig({}).shutdownGraceMs + 5000);
});

test('the URLs in compose.yaml lead to its services, with the names and passwords of these services', (t) => {
  const { DATABASE_URL = '', MONGODB_URL = '' } = services.api?.environment ?? {};
  const database = new URL(String(DATABASE_URL));
  const store = new URL(String(MONGODB_URL));
  const [option, setName] = services.mongo?.command ?? [];

  t.deepEqual(services.postgres?.environment, {
    POSTGRES_USER: database.username,
    POSTGRES_PASSWORD: database.password,
    POSTGRES_DB: database.pathname.slice(1),
  });
  t.true([database.hostname, store.hostname].every((name) => name in services));
  t.is(option, '--replSet');
  t.is(store.searchParams.get('replicaSet'), setName ?? '');
  t.true(services.mongo?.healthcheck?.test.at(-1)?.includes(`_id: '${setName}'`));
});

test('the proxy forwards PUBLIC_URL to the API, calls an existing probe, and is the only proxy that TRUST_PROXY expects', (t) => {
  // Only this machine can connect, because the secrets in this file are public.
  const [address, published, port] = (services.proxy?.ports?.[0] ?? '').split(':');
  const { PUBLIC_URL, TRUST_PROXY, METRICS_PORT } = services.api?.environment ?? {};
  const line = (pattern: RegExp) => pattern.exec(proxySettings)?.[1];

  t.is(address, '127.0.0.1');
  t.is(PUBLIC_URL, `http://localhost:${published}`);
  t.is(line(/^ {2}bind :(\d+)$/m), port);
  t.is(line(/server-template api- \d+ api:(\d+)$/m), imageEnvironment().PORT);
  t.is(line(/server-template api- (\d+) /m), String(services.api?.deploy?.replicas));
  // While no API process is ready, the proxy uses a backend that has the same processes, and no health checks.
  t.is(line(/use_backend (\S+) if \{ nbsrv\(api\) eq 0 \}$/m), 'not-ready');
  t.regex(proxySettings, /^backend not-ready$/m);
  t.is(line(/server-template not-ready- (\d+ api:\d+) /m), line(/server-template api- (\d+ api:\d+)$/m));
  t.true(probePaths.includes(line(/option httpchk GET (\S+)/) ?? ''));
  t.is(TRUST_PROXY, 1);
  t.regex(proxySettings, /^ {2}option forwardfor$/m);
  // Only the proxy is reachable from outside, and the proxy does not forward requests for the metrics.
  t.deepEqual(
    Object.entries(services)
      .filter(([, { ports }]) => ports)
      .map(([name]) => name),
    ['proxy'],
  );
  t.false(proxySettings.includes(String(METRICS_PORT)));
});

test('the files and volumes that compose.yaml mounts exist', (t) => {
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.map((volume) => volume.split(':')[0] ?? ''),
  );
  const files = mounted.filter((name) => name.startsWith('./'));

  for (const name of files) t.true(existsSync(root + name), name);
  t.deepEqual(
    mounted.filter((name) => !name.startsWith('./')),
    Object.keys(file.volumes),
  );
  t.is(files.length, 1);
});
