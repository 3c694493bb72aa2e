"""Here the hooks come from made-up sessions, so that each case is exact and quick; the real client takes no part."""
import pytest


@pytest.fixture
def token(bare):
    return bare.token("phone")


@pytest.fixture
def phone(bare, token):
    return bare.approver("phone", token=token)
