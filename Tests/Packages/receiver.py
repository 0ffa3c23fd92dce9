"""A receiver of Overland's batches: receiver.py FOLDER

It writes its port into FOLDER/port. It answers 503 until there is a file FOLDER/open, and then appends the time of each
received point to FOLDER/received.
"""

import http.server
import json
import os
import sys

folder = sys.argv[1]


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not os.path.exists(os.path.join(folder, "open")):
            self.send_error(503)
            return
        with open(os.path.join(folder, "received"), "a") as file:
            for location in json.loads(body)["locations"]:
                file.write(location["properties"]["timestamp"] + "\n")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"result":"ok"}')

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
with open(os.path.join(folder, "port.new"), "w") as file:
    file.write(str(server.server_port))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
server.serve_forever()
