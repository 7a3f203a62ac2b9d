FROM node:24.11.1-bookworm-slim@sha256:48abc13a19400ca3985071e287bd405a1d99306770eb81d61202fb6b65cf0b57 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY tsconfig.json openapi.yaml ./
COPY src src
COPY docs/*.md docs/
COPY workflows workflows
COPY activities activities
RUN npm run build && npm prune --omit=dev

FROM node:24.11.1-bookworm-slim@sha256:48abc13a19400ca3985071e287bd405a1d99306770eb81d61202fb6b65cf0b57 AS runtime
WORKDIR /app
COPY --from=build /app/package.json /app/openapi.yaml ./
COPY --from=build /app/node_modules node_modules

# The gateway simulator for test environments: docker build --target simulator -t payment-engine-simulator .
# It runs with the sandbox's settings, which its program sets itself.
FROM runtime AS simulator
COPY --from=build /app/dist dist
ENV SIMULATOR_HOST=0.0.0.0 DATA_DIR=/data
RUN install --directory --owner=node /data
VOLUME /data
USER node
EXPOSE 4010
CMD ["node", "--enable-source-maps", "dist/src/simulator/main.js"]

FROM build AS production-build
RUN rm -r dist/src/simulator

# The default target: one image for the API, the worker and the migrations, without the simulator.
# docker-compose.yml sets the command of each.
FROM runtime AS production
ENV NODE_ENV=production
COPY --from=production-build /app/dist dist
USER node
EXPOSE 3000
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "--max-old-space-size=192", "dist/src/api.js"]
