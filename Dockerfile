# The site in a container:
#
#   docker build -t attention-course .
#   docker run --rm -p 8080:8080 attention-course      http://localhost:8080

FROM python:3.13-slim AS build
WORKDIR /course
COPY . .
RUN python -m tools book
# nginx then need not compress the same page three hundred times.
RUN find _build/html -type f \
      \( -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.mjs' -o -name '*.json' \
         -o -name '*.svg' -o -name '*.wasm' -o -name '*.ipynb' -o -name '*.py' \) \
      -exec gzip -9 -k -n {} +

FROM nginxinc/nginx-unprivileged:1.29-alpine
COPY site/nginx.conf /etc/nginx/conf.d/default.conf
COPY --from=build /course/_build/html /srv/course
EXPOSE 8080
