"""A daemon with TLS, and one that is reached from elsewhere."""
import pytest

from harness import tls


@pytest.fixture
def secure(cdev):
    """A daemon with a certificate from an authority of its own; hooks are not installed."""
    return cdev.start(tls="local-ca")


@pytest.fixture
def trust(secure):
    return tls.trusting(tls.authority(secure))


@pytest.fixture
def lan():
    """An address of this machine that is not loopback, and that nobody else can reach."""
    with tls.address_beyond_loopback() as address:
        if address is None:
            pytest.skip("needs a network namespace of its own")
        yield address
