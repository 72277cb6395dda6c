# Tests verify_webhook with an event that the mock delivers. billing_mock.py and verify_webhook.py are in docs/other-languages.md.
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from billing_mock import BillingMock
from verify_webhook import verify_webhook


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            verify_webhook(self.headers, body, self.server.secret, self.server.standard)
            self.send_response(204)
        except ValueError:
            self.send_response(401)
        self.end_headers()

    def log_message(self, *_):
        pass


class VerifyWebhookTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mock = BillingMock()
        cls.addClassCleanup(cls.mock.close)

    def setUp(self):
        self.mock.control("POST", "/reset")
        self.server = HTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def create_endpoint(self, standard=True):
        url = f"http://127.0.0.1:{self.server.server_port}/webhooks"
        fields = {"url": url, "uses_standard_webhook_signature": standard}
        endpoint = self.mock.control("POST", "/webhook-endpoints", fields)
        self.server.secret = endpoint["secret"]
        self.server.standard = standard

    def deliver(self):
        """Makes the mock deliver an event. Returns the status of the response."""
        event = {"type": "order.paid", "data": {"id": "ord_1"}}
        self.mock.control("POST", "/webhooks/emit", event)
        self.mock.control("POST", "/webhooks/idle")
        return self.mock.control("GET", "/webhooks/deliveries")[-1]["response_status"]

    def test_accepts_only_the_endpoint_secret(self):
        for standard in [True, False]:
            self.mock.control("POST", "/reset")
            self.create_endpoint(standard)
            self.assertEqual(self.deliver(), 204)
            self.server.secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            self.assertEqual(self.deliver(), 401)

    def test_rejects_a_timestamp_far_from_the_current_time(self):
        self.create_endpoint()
        self.mock.control("POST", "/clock/advance", {"minutes": 10})
        self.assertEqual(self.deliver(), 401)


if __name__ == "__main__":
    unittest.main()
