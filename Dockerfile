# The image of the service: `docker build --tag tillhook .`
# ROLE chooses what a container does: api, worker or all. DATABASE_URL and MASTER_KEYS are required, because the embedded
# Postgres is not in the image. ops/containers.md says how to run the image.

# Both stages that install packages need the same manifests, because npm refuses to install packages if a manifest is missing.
FROM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY openapi/package.json openapi/
COPY sdk/package.json sdk/
COPY server/package.json server/
COPY server/dashboard/package.json server/dashboard/
COPY server/docs/package.json server/docs/
COPY developer/package.json developer/
COPY mock/package.json mock/
COPY test/package.json test/

# Builds the dashboard, the docs and the SDK as it is published. If you use a mirror of the registry, pass your npm settings:
# `docker build --secret id=npmrc,src=$HOME/.npmrc`. No layer of the image contains these settings.
FROM manifests AS build
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --ignore-scripts --include-workspace-root --workspace @tillhook/sdk --workspace @tillhook/server --workspace @tillhook/dashboard \
    --workspace @tillhook/docs
COPY tsconfig.json ./
COPY docs docs
COPY openapi openapi
COPY sdk sdk
COPY server server
RUN npm run build --workspace @tillhook/sdk --workspace @tillhook/dashboard --workspace @tillhook/docs

# Installs the packages that the service needs at run time. `--workspace` has the name of the package, because the path `server`
# would also select the dashboard in this folder. The embedded Postgres and the parts of sharp for this platform are optional
# dependencies, so they are left out. The last stage copies the parts of sharp from another stage. Types and source maps are
# removed, because the service never loads them.
FROM manifests AS modules
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --ignore-scripts --omit=dev --omit=optional --workspace @tillhook/server \
    && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
    && rm -r developer mock test

FROM node:24-slim
LABEL org.opencontainers.image.title="Tillhook" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=modules /app ./
COPY --from=build /app/node_modules/@img node_modules/@img
COPY LICENSE ./
COPY openapi openapi
COPY --from=build /app/sdk sdk
COPY server/bin server/bin
COPY server/look server/look
COPY server/src server/src
COPY --from=build /app/server/dashboard/dist server/dashboard/dist
COPY --from=build /app/server/docs/dist server/docs/dist
# With this link, `docker run tillhook tillhook keys list` runs a command as in a shell.
RUN ln -s /app/server/bin/tillhook.js /usr/local/bin/tillhook
# The account `node` of the base image. Kubernetes needs the number of the account to verify that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "server/bin/probe.js", "/healthz"]
CMD ["node", "--conditions=@tillhook/source", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=32", "server/bin/server.js"]
