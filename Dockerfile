# What is installed, by a stage that may have what an installation needs.
FROM python:3.11.16-slim-trixie@sha256:be1575ed968de893bd54f4c56315ff7c4736ce522c1bca08fd521731aafc0d76 AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /venv
COPY requirements.lock .
RUN /venv/bin/pip install --no-deps --require-hashes --requirement requirements.lock

# What runs: an interpreter, these packages, PostgreSQL's own programs for backups, and no compiler.
FROM python:3.11.16-slim-trixie@sha256:be1575ed968de893bd54f4c56315ff7c4736ce522c1bca08fd521731aafc0d76
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client-17 && rm -rf /var/lib/apt/lists/*
# DATA_DIR is a volume; a new one takes its owner from here.
RUN useradd --uid 1000 --no-create-home --home-dir /tmp diligence && install -d -o diligence -g diligence -m 700 /data
COPY --from=packages /venv /venv
WORKDIR /app
COPY . .
USER diligence
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data
CMD ["gunicorn", "--config", "python:diligence.gunicorn_conf", "diligence.wsgi"]
