"""Settings: variables over the file over defaults; one clear line for each fault."""

from pathlib import Path

import pytest

from cardroom.adapters.settings import SettingsWrong, load_settings


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        if name.startswith("CARDROOM_"):
            monkeypatch.delenv(name)


def test_overrides_win_over_variables_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "room.toml"
    config.write_text(
        'metrics_port = 1\n[grpc]\nport = 7\nhost = "::1"\n[loop]\noutage_seconds = 9\n'
    )
    monkeypatch.setenv("CARDROOM_CONFIG", str(config))
    monkeypatch.setenv("CARDROOM_GRPC__PORT", "8")
    monkeypatch.setenv("CARDROOM_METRICS_PORT", "2")
    settings = load_settings(metrics_port=3)
    assert (settings.metrics_port, settings.grpc.port, settings.grpc.host) == (3, 8, "::1")
    assert settings.loop.outage_seconds == 9
    assert settings.anchor_directory == settings.data_directory / "anchors"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("colour = 1", "colour: unknown key"),
        ("[grpc]\ncolour = 1", "grpc.colour: unknown key"),
        ("[grpc]\nport = 70000", "grpc.port is 70000"),
        ("[grpc]\ntls = false\nhost = '0.0.0.0'", "only on loopback"),
        ("[grpc.peers]\nhouse = 'nowhere'", "peers.house is 'nowhere'"),
        ("[bus]\nkind = 'rabbit'", "bus.kind is 'rabbit'"),
        ("[bus]\nkind = 'kafka'", "bus.bootstrap is empty"),
        ("[loop]\nbatch_limit = 0", "loop.batch_limit is 0"),
        ("port =", "room.toml"),
    ],
)
def test_a_fault_in_the_file_names_key_value_and_rule(
    tmp_path: Path, content: str, says: str
) -> None:
    config = tmp_path / "room.toml"
    config.write_text(content)
    with pytest.raises(SettingsWrong) as wrong:
        load_settings(config)
    assert says in str(wrong.value)
    assert "room.toml" in str(wrong.value)


@pytest.mark.parametrize("name", ["CARDROOM_COLOUR", "CARDROOM_GRPC__COLOUR"])
def test_an_unknown_variable_is_a_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    with pytest.raises(SettingsWrong, match=f"{name}: unknown key"):
        load_settings()


def test_a_secret_is_never_in_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROOM_DATABASE__DSN", "host=db password=hunter2")
    monkeypatch.setenv("CARDROOM_DATABASE__READERS", "0")
    with pytest.raises(SettingsWrong) as wrong:
        load_settings()
    assert "hunter2" not in str(wrong.value)
    monkeypatch.delenv("CARDROOM_DATABASE__READERS")
    assert "hunter2" not in repr(load_settings())


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SettingsWrong, match="cannot be read"):
        load_settings(Path("/nowhere.toml"))
