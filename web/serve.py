"""serve.py FOLDER PORT: serves the page on this machine, until Ctrl-C. Python's own library alone.

A browser gives threads only to a page that these headers isolate from others.
"""

import functools
import http.server
import sys

ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *given, headers, **more):
        self.more_headers = headers
        super().__init__(*given, **more)

    def end_headers(self):
        for name, value in self.more_headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *words):
        pass


def server_of(folder, port=0, headers=ISOLATION):
    """A server of a folder for this machine alone; of port 0: on a free one."""
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder, headers=headers))


if __name__ == "__main__":
    try:
        folder, port = sys.argv[1:]
    except ValueError:
        sys.exit("serve.py: needs FOLDER PORT")
    try:
        server_of(folder, int(port)).serve_forever()
    except KeyboardInterrupt:
        pass
    except (OSError, OverflowError, ValueError) as error:
        sys.exit(f"serve.py: port {port}: {error}")
