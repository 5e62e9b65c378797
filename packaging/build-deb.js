import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { manPage } from './man-page.js';

/** Debian's names of Node.js' architectures. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** Where each shell looks for completions, and what the file is called there. */
const COMPLETIONS = {
  bash: 'bash-completion/completions/registrar',
  zsh: 'zsh/vendor-completions/_registrar',
  fish: 'fish/vendor_completions.d/registrar.fish',
};

/**
 * Makes `registrar_VERSION_ARCHITECTURE.deb` of an installed program: below /usr, with the units of systemd, the page of `man`, the
 * completions, and /etc/registrar for secrets. Installing it makes the user; it starts nothing.
 */
export function buildDeb({ root, tree, version, output, work }) {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`Debian has no architecture ${process.arch}`);
  const at = join(work, 'deb');
  cpSync(tree, join(at, 'usr'), { recursive: true });
  const lib = join(at, 'usr/lib/registrar');
  const put = (path, text, mode = 0o644) => {
    mkdirSync(join(at, path, '..'), { recursive: true });
    writeFileSync(join(at, path), text, { mode });
  };

  for (const unit of readdirSync(join(root, 'deploy/systemd'))) {
    put(`lib/systemd/system/${unit}`, readFileSync(join(root, 'deploy/systemd', unit)));
  }
  for (const [shell, path] of Object.entries(COMPLETIONS)) {
    put(`usr/share/${path}`, execFileSync(join(at, 'usr/bin/registrar'), ['completion', shell]));
  }
  const page = manPage(readFileSync(join(root, 'docs/reference.md'), 'utf8'), version);
  put('usr/share/man/man1/registrar.1.gz', gzipSync(page, { level: 9 }));
  // Documents are where Debian has them.
  const docs = join(at, 'usr/share/doc/registrar');
  mkdirSync(docs, { recursive: true });
  for (const name of ['docs', 'README.md', 'CHANGELOG.md']) renameSync(join(lib, name), join(docs, name));
  // Debian has the licences of all that a package contains in one file.
  const licenses = [join(lib, 'LICENSE'), join(lib, 'dist/program/LICENSES.txt')];
  writeFileSync(join(docs, 'copyright'), licenses.map((path) => readFileSync(path, 'utf8')).join('\n'));
  for (const path of licenses) rmSync(path);
  put('etc/registrar/environment', readFileSync(join(root, 'packaging/debian/environment')), 0o600);
  put('DEBIAN/conffiles', '/etc/registrar/environment\n');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    put(`DEBIAN/${script}`, readFileSync(join(root, 'packaging/debian', script)), 0o755);
  }
  put('DEBIAN/control', control({ version, architecture, kilobytes: sizeOf(at), lib }));
  makeReadable(at);
  chmodSync(join(at, 'etc/registrar'), 0o700);

  const deb = join(output, `registrar_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', at, deb], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function control({ version, architecture, kilobytes, lib }) {
  return `Package: registrar
Version: ${version}
Architecture: ${architecture}
Maintainer: The Registrar authors
Installed-Size: ${kilobytes}
Depends: adduser, libc6 (>= ${neededGlibc(lib)}), libgcc-s1, libstdc++6
Recommends: bash-completion, ca-certificates
Section: utils
Priority: optional
Description: delivers learning records and proves where every row went
 Registrar imports the files that learning systems export, delivers their
 records to a learning platform within its quota, keeps each answer, and
 proves with a report where every row went. It contains its own Node.js.
`;
}

/** The oldest version of the C library that Node.js and the compiled module run with. */
function neededGlibc(lib) {
  const compiled = ['node', 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'];
  const versions = compiled.flatMap((path) =>
    [...readFileSync(join(lib, path), 'latin1').matchAll(/\0GLIBC_(\d+)\.(\d+)\0/g)].map(
      ([, major, minor]) => [Number(major), Number(minor)],
    ),
  );
  const [latest] = versions.sort(
    ([major, minor], [otherMajor, otherMinor]) => otherMajor - major || otherMinor - minor,
  );
  return latest.join('.');
}

/** In kilobytes, as Debian counts. */
function sizeOf(path) {
  const { size } = statSync(path);
  const own = Math.ceil(size / 1_024);
  if (!statSync(path).isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), own);
}

/** The files of the person who packages may be closed to others. */
function makeReadable(at) {
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', join(at, 'usr'), join(at, 'lib')]);
  chmodSync(at, 0o755);
  for (const name of readdirSync(at)) chmodSync(join(at, name), 0o755);
}
