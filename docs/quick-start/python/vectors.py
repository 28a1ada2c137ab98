"""Compares receiver.py with the published test vectors: python3 vectors.py vectors.json"""

import json
import sys
from pathlib import Path

from receiver import is_ours, service_signature, webhook_signature

file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "../vectors.json"
published = json.loads(file.read_text(encoding="utf-8"))
cases = [(one, [one["secret"]]) for one in published["vectors"]]
cases += [(one, [one["secrets"]["own"], *one["secrets"]["others"]]) for one in published["rotations"]]
foreign = "whsec_Zm9yZWlnbmZvcmVpZ25mb3JlaWdu"


def agrees(vector, secrets):
    id, now, body, expected = vector["id"], vector["timestamp"], vector["body"].encode(), vector["expected"]
    service = {"X-Service-Signature": expected["X-Service-Signature"]}
    standard = {
        "webhook-id": id,
        "webhook-timestamp": str(now),
        "webhook-signature": expected["webhook-signature"],
    }
    signatures = [webhook_signature(secret, id, now, body) for secret in secrets]
    return all([
        " ".join(signatures) == expected["webhook-signature"],
        service_signature(secrets[0], body) == expected["X-Service-Signature"],
        all(is_ours(standard, body, [secret], now) for secret in secrets),
        is_ours(standard, body, [foreign, secrets[0]], now + 300),
        is_ours(service, body, secrets, now, require_timestamp=False),
        not is_ours(service, body, secrets, now),
        not is_ours(standard, body, secrets, now + 301),
        not is_ours(standard, body, secrets, now - 301),
        not is_ours(standard, body, [foreign], now),
        not is_ours(standard, body + b" ", secrets, now),
        not is_ours(service, body + b" ", secrets, now, require_timestamp=False),
    ])


wrong = [vector["title"] for vector, secrets in cases if not agrees(vector, secrets)]
if wrong or not cases:
    sys.exit(f"These vectors do not agree: {', '.join(wrong)}")
print(f"{len(cases)} vectors agree")
