# A tag and no digest: who builds gets the security fixes of Node.js and Debian. Both stages have the same one, because
# better-sqlite3 is compiled against its libraries.
ARG NODE_IMAGE=node:24-bookworm-slim

# What the program needs, compiled; what builds it stays here.
FROM ${NODE_IMAGE} AS modules
# better-sqlite3 is compiled where no ready-made build of it can be downloaded. Versions are Debian's: its archive keeps
# the newest alone, so that a version written here would soon be gone.
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 make g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Before the sources, so that a change of those doesn't install everything again.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
# What remains of compiling is as large as what runs; source maps are for those who mend the modules.
RUN rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
 && find node_modules/better-sqlite3/build -type f ! -name better_sqlite3.node -delete \
 && find node_modules \( -name '*.map' -o -name '*.o' -o -name '*.a' \) -delete

# The program, bundled from src/ and the tables of data/ alone.
FROM ${NODE_IMAGE} AS program
WORKDIR /app
COPY package.json package-lock.json ./
# What bundles and what is bundled: none of it has to be compiled.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY packaging packaging
COPY data data
COPY src src
RUN npm run bundle
COPY migrations migrations
COPY docs docs
COPY LICENSE ./
# Whoever builds may keep files that others can't read.
RUN chmod -R a+rX dist migrations data docs LICENSE package.json && chmod a+x dist/program/main.js

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY --from=program /app/package.json /app/LICENSE ./
COPY --from=program /app/migrations migrations
COPY --from=program /app/data data
COPY --from=program /app/docs docs
COPY --from=program /app/dist dist
RUN ln -s /app/dist/program/main.js /usr/local/bin/registrar \
 && install -d -o 1000 -g 1000 -m 0700 /workspace
# No VOLUME: without a folder or a volume named by -v, the ledger would be kept where nobody looks for it.
ENV REGISTRAR_WORKSPACE=/workspace
# A number, by which Kubernetes sees that it is not root (runAsNonRoot); the image calls it node.
USER 1000:1000
WORKDIR /workspace
# A lamp for people, which restarts nothing: it fails when work could not be done (registrar.yaml, the ledger, its disk) and when
# it doesn't get done (the platform or its credentials can't be used, the books don't balance, runs that the schedule asks for
# don't come through). A supervisor that restarts asks /healthz instead. It starts Node.js, hence every 5 minutes. Docker keeps
# the exit code 2 for itself.
HEALTHCHECK --interval=5m --timeout=30s --start-period=2m --retries=2 CMD registrar healthcheck --work --quiet || exit 1
# It takes SIGTERM itself and needs no init process. It waits for answers under way, 30 s at most (deadline), where
# Docker would kill it after 10: docker run --stop-timeout 45, as compose.yaml has it.
ENTRYPOINT ["registrar"]
CMD ["schedule"]
