# The dashboard is committed in web/dist, so one stage with Go builds it all.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=devel
RUN CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /penstock ./cmd/penstock \
 && install -d -o 65532 -g 65532 -m 0700 /data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /penstock /penstock
COPY --from=build --chown=65532:65532 /data /data
ENV PENSTOCK_DATA_DIR=/data
VOLUME /data
EXPOSE 1935 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/penstock"]
CMD ["serve"]
