# A tag and no digest: who builds gets the security fixes of Node.js and Debian. Both stages have the same one, because
# better-sqlite3 is compiled against its libraries.
ARG NODE_IMAGE=node:24-bookworm-slim

# What is compiled and can't be bundled; what compiles it stays here.
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
# What remains of compiling is larger than what runs.
RUN rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
 && find node_modules/better-sqlite3/build -type f ! -name better_sqlite3.node -delete

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
# The files of the person who builds may be closed to others.
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
# No VOLUME: without a folder or a volume named by -v, the ledger would be kept in a volume without a name.
ENV REGISTRAR_WORKSPACE=/workspace
# A number, by which Kubernetes sees that it is not root (runAsNonRoot); the image calls it node.
USER 1000:1000
WORKDIR /workspace
# For people: Docker restarts nothing for it. It fails where work is impossible (registrar.yaml, the ledger, its disk) and where work
# fails (the platform or its credentials can't be used, the books don't balance, scheduled runs don't complete). A supervisor that
# restarts uses /healthz instead. Every check starts Node.js, hence every 5 minutes. Docker reserves the exit code 2.
HEALTHCHECK --interval=5m --timeout=30s --start-period=2m --retries=2 CMD registrar healthcheck --work --quiet || exit 1
# It handles SIGTERM itself and needs no init process. It waits for answers under way, 30 s at most (deadline); Docker kills after
# 10 s, without docker run --stop-timeout 45, as in compose.yaml.
ENTRYPOINT ["registrar"]
CMD ["schedule"]
