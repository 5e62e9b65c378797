FROM node:24-slim AS build
# better-sqlite3 is compiled where no ready-made build of it can be downloaded.
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 make g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
RUN npm ci && npm prune --omit=dev && chmod +x dist/src/main.js

FROM node:24-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/data ./data
RUN ln -s /app/dist/src/main.js /usr/local/bin/registrar \
 && install -d -o node -g node -m 0700 /workspace
ENV REGISTRAR_WORKSPACE=/workspace
USER node
WORKDIR /workspace
VOLUME /workspace
# Finds the workspace, reads its configuration and opens its ledger.
HEALTHCHECK --interval=1m --timeout=30s --start-period=30s CMD registrar status --quiet || exit 1
ENTRYPOINT ["registrar"]
CMD ["schedule"]
