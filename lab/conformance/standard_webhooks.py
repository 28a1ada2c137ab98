"""Verifies published vectors and deliveries of a real server with the package standardwebhooks of PyPI, an independent
implementation of the specification. The arguments are the files with the vectors and with the deliveries."""

import json
import sys
from datetime import datetime, timezone

from standardwebhooks import Webhook, WebhookVerificationError

FOREIGN_SECRET = "whsec_Zm9yZWlnbmZvcmVpZ25mb3JlaWdu"


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def signature(secret, signed):
    moment = datetime.fromtimestamp(signed["timestamp"], tz=timezone.utc)
    return Webhook(secret).sign(msg_id=signed["id"], timestamp=moment, data=signed["body"])


def accepts(secret, delivery):
    try:
        return Webhook(secret).verify(delivery["body"], delivery["headers"]) == json.loads(delivery["body"])
    except WebhookVerificationError:
        return False


def problems(published, deliveries):
    for vector in published["vectors"]:
        if signature(vector["secret"], vector) != vector["expected"]["webhook-signature"]:
            yield f"another signature of the vector: {vector['title']}"
    for rotation in published["rotations"]:
        secrets = [rotation["secrets"]["own"], *rotation["secrets"]["others"]]
        expected = rotation["expected"]["webhook-signature"].split(" ")
        if [signature(secret, rotation) for secret in secrets] != expected:
            yield f"other signatures of the rotation: {rotation['title']}"
    for delivery in deliveries:
        for secret in delivery["secrets"]:
            if not accepts(secret, delivery):
                yield f"refused: a delivery {delivery['title']}"
        if accepts(FOREIGN_SECRET, delivery):
            yield f"accepted with a foreign secret: a delivery {delivery['title']}"


published, deliveries = (read(path) for path in sys.argv[1:3])
# Empty files would pass every check.
if min(len(published["vectors"]), len(published["rotations"]), len(deliveries)) == 0:
    sys.exit("there is nothing to check")
found = list(problems(published, deliveries))
print("\n".join(found))
checked = f"{len(published['vectors'])} vectors, {len(published['rotations'])} rotations and {len(deliveries)} deliveries"
print(f"standardwebhooks of PyPI disagrees about {len(found)} of {checked}.")
sys.exit(1 if found else 0)
