"""Builds the wheel with the library inside: python3 build_wheel.py LIBRARY FOLDER. Needs the standard library only."""

import base64
import hashlib
import os
import sys
import sysconfig
import zipfile
from pathlib import Path

NAME, VERSION = "trackengine", "0.9.0"


def main(library: str, folder: str) -> None:
    package = Path(__file__).parent / NAME
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"{NAME}-{VERSION}.dist-info"
    files = {f"{NAME}/{path.name}": path.read_bytes() for path in sorted(package.glob("*.py"))}
    files[f"{NAME}/py.typed"] = b""
    files[f"{NAME}/libtrackengine.so.1"] = Path(library).read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\nRequires-Python: >=3.9\nLicense: Apache-2.0\n"
        "Summary: Filters GPS fixes, keeps records until they are delivered\n"
    ).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = [f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items()]
    files[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()

    os.makedirs(folder, exist_ok=True)
    wheel = Path(folder) / f"{NAME}-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980, so that two builds have the same bytes
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    print(wheel)


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("expected: build_wheel.py LIBRARY FOLDER")
    main(*sys.argv[1:])
