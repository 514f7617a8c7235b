FROM python:3.11-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements.lock .
RUN pip install --no-deps --require-hashes --requirement requirements.lock
# DATA_DIR is a volume; a new one takes its owner from here.
RUN useradd --uid 1000 --home-dir /app diligence && install -d -o diligence -g diligence -m 700 /data
COPY . .
USER diligence
ENV DATA_DIR=/data
CMD ["honcho", "--env", "/dev/null", "start", "web"]
