"""Keys in settings of the host do not enter a box by the system folders that it is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.records import Environment
from fairtrial.sandbox import Bubblewrap, Command, credentials_beside, host_secrets
from fairtrial.sandbox.host_secrets import cover_arguments, covered, shows_through
from fairtrial.sandbox.host_view import copy_host_etc
from fairtrial.sandbox.variables import holds_secret, is_credential

KEY = "0a1b2c3d4e5f60718293"


@pytest.mark.parametrize(
    "text",
    [
        f"//packages.example/:_authToken={KEY}", f"export GITHUB_PAT={KEY}", f"OPENAI_API_KEY = '{KEY}'",
        "index-url = https://ada:hunter2@packages.example/simple", f"export HTTP_PROXY=http://ada:{KEY}@proxy.example:1",
        f"\textraheader = Authorization: Basic {KEY}", f"password: {KEY}", f"aws_secret_access_key={KEY}",
    ],
)  # fmt: skip
def test_a_setting_that_holds_a_key_is_told(text: str) -> None:
    assert holds_secret(f"# settings\n{text}\n")


@pytest.mark.parametrize(
    "text",
    ["prefix=/usr/local", "default_keyfile = privkey.pem", "authorityKeyIdentifier = keyid:always", f"# TOKEN={KEY}",
     "jdk.http.auth.tunneling.disabledSchemes=Basic\n\njdk.http.ntlm.transparentAuth=disabled", "TOKEN=$OTHER_TOKEN",
     "registry=https://packages.example/", "PASSWORD=", "hosts: files dns"],
)  # fmt: skip
def test_plain_settings_are_not(text: str) -> None:
    assert not holds_secret(text)


def test_files_of_etc_that_set_a_key_are_left_out(tmp_path: Path) -> None:
    etc = tmp_path / "etc"
    (etc / "R").mkdir(parents=True)
    (etc / "R/Renviron.site").write_text(f"GITHUB_PAT={KEY}\n")
    (etc / "R/Rprofile.site").write_text("options(digits = 7)\n")
    (etc / "bash.bashrc").write_text(f"export WANDB_API_KEY={KEY}\n")
    (etc / "services").write_text("ssh 22/tcp\n")
    copy_host_etc(tmp_path / "shown", etc)
    shown = {path.name for path in (tmp_path / "shown").rglob("*") if path.is_file()}
    assert shown == {"Rprofile.site", "services", ".empty"}


def test_settings_below_usr_are_found_by_name_and_by_what_they_hold(tmp_path: Path) -> None:
    (tmp_path / "usr/local/etc/tool").mkdir(parents=True)
    (tmp_path / "usr/etc").mkdir()
    (tmp_path / "usr/etc/npmrc").write_text("registry=https://packages.example/\n")
    (tmp_path / "usr/local/etc/tool/settings.ini").write_text(f"token = {KEY}\n")
    (tmp_path / "usr/local/etc/tool/plain.ini").write_text("colour = green\n")
    (tmp_path / "usr/local/etc/gitconfig").symlink_to("/nowhere")
    assert covered(tmp_path) == ("usr/etc/npmrc", "usr/local/etc/tool/settings.ini")


def test_what_an_environment_has_itself_is_not_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_secrets, "covered", lambda: ("usr/local/etc/npmrc",))
    upper, empty = tmp_path / "upper", tmp_path / "empty"
    (upper / "local").mkdir(parents=True)
    wanted = ["--ro-bind", str(empty), "/usr/local/etc/npmrc"]
    assert cover_arguments(empty, {}) == wanted == cover_arguments(empty, {"usr": upper})
    (upper / "local/etc").mkdir()
    assert shows_through(upper, "local/etc/npmrc")
    (upper / "local/etc/npmrc").write_text("")
    assert cover_arguments(empty, {"usr": upper}) == []
    assert not shows_through(upper, "local/etc/npmrc/below")


@pytest.mark.parametrize("live", [False, True], ids=["each-run", "live"])
def test_no_box_reads_a_covered_file(
    bubblewrap: Bubblewrap, live: bool, monkeypatch: pytest.MonkeyPatch, world: Callable[..., Environment]
) -> None:
    there = "usr/share/common-licenses/GPL-3"
    if not Path("/", there).is_file():
        pytest.skip(f"this machine has no /{there}")
    monkeypatch.setattr(host_secrets, "covered", lambda: (there,))
    for environment in (Environment(), world("RUN echo hello > /usr/local/bin/hello")):
        with bubblewrap.open(bubblewrap.prepare(environment), live=live) as box:
            said = box.run(Command(("sh", "-c", f"wc -c < /{there}; cat /usr/local/bin/hello 2>/dev/null")))
            assert said.output.split()[0] == "0"


def test_names_that_lead_to_credentials_are_told() -> None:
    for name in ("XAUTHORITY", "GIT_ASKPASS", "MYSQL_PWD", "CI_JWT", "SLACK_WEBHOOK_URL", "KRB5CCNAME"):
        assert is_credential(name), name
    for name in ("GIT_AUTHOR_EMAIL", "PWD", "OLDPWD", "TOKENIZERS_PARALLELISM", "PATH"):
        assert not is_credential(name), name


@pytest.mark.parametrize(
    "held", [".env", "data/.env", "a/b/.aws/credentials", ".env.local", "keys/id_ed25519", ".bash_history", ".envrc"]
)
def test_keys_deep_below_a_policy_are_seen(tmp_path: Path, held: str) -> None:
    (tmp_path / "policy.py").write_text("")
    (tmp_path / ".env.example").write_text("KEY=\n")
    assert credentials_beside(tmp_path) == []
    (tmp_path / held).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / held).write_text("x")
    assert credentials_beside(tmp_path)


def test_a_password_in_the_settings_of_git_is_seen(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text('[remote "origin"]\n\turl = https://github.com/ada/x\n')
    assert credentials_beside(tmp_path) == []
    (tmp_path / ".git/config").write_text('[remote "origin"]\n\turl = https://ada:hunter2@github.com/ada/x\n')
    assert credentials_beside(tmp_path) == [".git"]
