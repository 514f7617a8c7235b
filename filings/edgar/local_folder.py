"""A folder of xz-compressed files under the SEC's paths that answers like EDGAR."""

import lzma
from pathlib import Path

import httpx


class FolderTransport(httpx.BaseTransport):
    """Serves `<folder>/<path>.xz` for `https://any.host/<path>`, such as the bundled sample.

    A path outside the folder, or missing, is 404.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        path = (self.folder / (request.url.path.lstrip("/") + ".xz")).resolve()
        if self.folder not in path.parents or not path.is_file():
            return httpx.Response(404, request=request)
        content = lzma.decompress(path.read_bytes())
        return httpx.Response(200, content=content, request=request)
