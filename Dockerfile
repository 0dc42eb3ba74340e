# syntax=docker/dockerfile:1

# glibc: the embedded engine's native library has no build for musl.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN --mount=type=cache,target=/root/.npm npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY scripts ./scripts
COPY clickhouse ./clickhouse
COPY public ./public
RUN npm run build

FROM base AS packages
# The engine is an optional package: npm goes on where it cannot be had, and the image must not.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev && node -e "import('chdb')"

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="forecast-accuracy-service" \
      org.opencontainers.image.description="How good temperature forecasts are, exactly, over HTTP" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
WORKDIR /app
# Keys, and the data of the embedded engine. The program itself belongs to root: the service cannot change it.
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY openapi.json ./
COPY src/sample ./src/sample
COPY sources ./sources
COPY clickhouse ./clickhouse
COPY --from=build /app/dist ./dist
# Commands are called as messages call them: forecast-accuracy load …
RUN chmod 755 dist/src/main.cjs && ln -s /app/dist/src/main.cjs /usr/local/bin/forecast-accuracy
USER node
VOLUME ["/data"]
EXPOSE 8080
# /readyz asks the engine, too. The first start on much data may migrate it, which takes its time.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which would keep the signal to stop from the service.
CMD ["node", "dist/src/main.cjs", "serve"]
