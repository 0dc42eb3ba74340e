import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { readConfig } from '../../../src/config.js';

const root = new URL('../../../', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), 'utf8');

interface Service {
  image?: string;
  build?: string;
  profiles: string[];
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  read_only?: boolean;
  configs?: (string | { source: string })[];
  secrets?: (string | { source: string })[];
}

/** Files that compose mounts from `file`, and copies into the container where they come from elsewhere. */
type Given = Record<string, { file?: string }>;

const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  configs?: Given;
  secrets?: Given;
};
const services = Object.entries(compose.services);

describe('docker-compose.yml', () => {
  it('given its profiles, then they are the service alone, with a server or cluster, and its helpers', () => {
    const profiles = new Set(services.flatMap(([, { profiles }]) => profiles));
    expect([...profiles]).to.have.members(['embedded', 'server', 'cluster', 'collect', 'load', 'monitoring']);
    for (const [name, { profiles }] of services) expect(profiles, name).to.have.length(1);
  });

  it('given a service, then it is told only what the configuration knows, and can be started with it', () => {
    for (const [name, { build, environment = {} }] of services) {
      if (build === undefined) continue;
      const config = readConfig(environment);
      const named = Object.keys(environment).length;
      expect([0, 3, 4], name).to.include(named);
      expect(config.clickhouse.url === undefined, name).to.equal(named === 0);
      expect(config.clickhouse.cluster !== undefined, name).to.equal(/cluster/.test(name));
    }
  });

  it('given what a service waits for, then the same profile starts it, and it is healthy or ends', () => {
    for (const [name, { depends_on = {}, profiles }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const awaited = compose.services[other];
        expect(awaited?.profiles, `${name} waits for ${other}`).to.deep.equal(profiles);
        if (condition === 'service_healthy') expect(awaited).to.have.property('healthcheck');
        else expect(awaited?.command?.join(' ')).to.match(/^node dist\/src\/main\.cjs migrate$/);
      }
    }
  });

  it('given what is mounted, then it is a declared volume, a file of this repository, or the feeds', () => {
    for (const [name, { volumes = [] }] of services) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (!source.startsWith('.')) expect(compose.volumes, name).to.have.property(source);
        else if (source !== './feeds' && !source.startsWith('./grafana')) {
          expect(existsSync(new URL(source, root)), `${name} mounts ${source}`).to.be.true;
          expect(volume).to.match(/:ro$/);
        }
      }
    }
    const grafana = services
      .flatMap(([, { volumes = [] }]) => volumes)
      .filter((volume) => volume.startsWith('./grafana'));
    expect(grafana.map((volume) => volume.split(':')[0])).to.have.members(
      ['provisioning', 'dashboards', 'prometheus.yml', 'alerts.yml'].map((file) => `./grafana/${file}`),
    );
  });

  // "container rootfs is marked read-only": a copy is made before the container starts, and no tmpfs is there yet.
  it('given a container that can write nothing, then compose copies nothing into it', () => {
    expect(services.filter(([, { read_only }]) => read_only)).to.have.length.above(5);
    for (const [name, { read_only, configs = [], secrets = [] }] of services) {
      const given = [
        ...configs.map((each) => compose.configs?.[typeof each === 'string' ? each : each.source]),
        ...secrets.map((each) => compose.secrets?.[typeof each === 'string' ? each : each.source]),
      ];
      for (const each of given) {
        expect(each, `${name} takes what is not declared`).to.be.an('object');
        if (read_only) expect(each, name).to.have.property('file');
      }
    }
  });

  it('given a program of the image, then it is compiled from a source that is there', () => {
    const programs = services.flatMap(([, { command = [], entrypoint = [] }]) => [...command, ...entrypoint]);
    for (const program of programs.filter((word) => word.endsWith('.js'))) {
      expect(existsSync(new URL(program.replace('dist/', '').replace('.js', '.ts'), root)), program).to.be
        .true;
    }
  });

  it('given a port, then it is bound to loopback, and an image has a version', () => {
    for (const [name, { ports = [], image = '' }] of services) {
      for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:/);
      expect(image, name).to.match(/:v?\d[\w.]*$/);
    }
  });

  it('given a variable, then .env.example has it', () => {
    const variables = new Set([...text('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const given = text('.env.example').match(/^\w+(?==)/gm) ?? [];
    expect(given).to.include.members([...variables]);
  });
});

describe('the Dockerfile', () => {
  const dockerfile = text('Dockerfile');

  it('given what it copies from here, then .dockerignore lets it through, and it is there', () => {
    const letThrough = text('.dockerignore').match(/(?<=^!).+$/gm) ?? [];
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    expect(copied).not.to.be.empty;
    for (const file of copied) {
      expect(letThrough).to.include(file.split('/')[0]);
      expect(existsSync(new URL(file, root)), file).to.be.true;
    }
  });

  it('given the folders that the program reads as it runs, then they are in the image', () => {
    const { imports } = JSON.parse(text('package.json')) as { imports: Record<string, string> };
    const [, runtime = ''] = dockerfile.split(/(?<=^USER node$)/m)[0]?.split(/^(?=ENV NODE_ENV)/m) ?? [];
    for (const path of Object.values(imports)) {
      const folder = path.replace(/^\.\//, '').replace(/\/\*$/, '');
      expect(runtime).to.match(
        folder.startsWith('dist/')
          ? /^COPY --from=build \/app\/dist /m
          : new RegExp(`^COPY ${folder} ./`, 'm'),
      );
    }
  });

  it('given the image, then it is of glibc, of one version, and not run by root', () => {
    const bases = dockerfile.match(/(?<=^FROM )node:\S+/gm) ?? [];
    expect(new Set(bases)).to.have.property('size', 1);
    expect(bases[0]).to.match(/^node:\d+\.\d+\.\d+-bookworm-slim$/);
    expect(dockerfile.match(/^USER (.+)$/gm)?.at(-1)).to.equal('USER node');
    expect(dockerfile)
      .to.match(/npm ci --omit=dev/)
      .and.to.match(/^VOLUME \["\/data"\]$/m);
  });
});
