"""Signing up, in and out; tokens; devices."""

import base64
import contextlib
import json
import sqlite3
import time

import pytest

from api import PASSWORD, Api, new_id, problem
from server import Server


def email():
    return f"{new_id()}@example.org"


def part(token, index):
    text = token.split(".")[index]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_registering_signs_the_first_device_in(api):
    about = api.call("GET", "/v1/about", expect=200).json()
    assert about["user"] == api.user and isinstance(api.user["id"], int)
    assert about["limits"] == {"chunkSize": 4 << 20, "maxFileSize": 10 << 30, "simpleUploadLimit": 5 << 20}
    assert about["settings"] == {"metadataCacheBytes": 200_000_000, "postLifetimeDays": 15, "minimumPosts": 50, "feed": True}
    assert api.device["current"] is True and api.device["name"] == "laptop"


def test_an_email_is_taken_once_however_it_is_written(untouched):
    response = untouched.call("POST", "/v1/auth/register", token="", json={
        "email": untouched.user["email"].upper(), "password": PASSWORD, "displayName": "x",
        "device": {"name": "x", "platform": "linux"}})
    problem(response, 409, "email_taken")


@pytest.mark.parametrize("password", ["", "short", "x" * 1025])
def test_a_password_too_short_or_too_long_is_refused(shared_server, password):
    response = Api(shared_server.url).call("POST", "/v1/auth/register", json={
        "email": email(), "password": password, "displayName": "x", "device": {"name": "x", "platform": "linux"}})
    problem(response, 422, "weak_password")


def test_a_wrong_password_and_an_unknown_account_answer_alike(api):
    answers = [api.call("POST", "/v1/auth/login", token="", json={
        "email": address, "password": "wrong password", "device": {"name": "x", "platform": "linux"}})
        for address in (api.user["email"], email())]
    bodies = [problem(answer, 401, "wrong_credentials") for answer in answers]
    assert bodies[0] == bodies[1]


def test_passwords_are_kept_at_full_cost_and_a_cheaper_hash_is_made_anew(server, new_account):
    """The tests' servers hash cheaply; one that nobody told to is as dear to guess for as a person's, from the first sign-in on."""
    account = new_account(server)
    assert password_costs(server) == {"scrypt$4$8$3"}
    assert any("BOTHY_TEST_SCRYPT_LOG_ROUNDS" in line for line in server.output), "it warns of that"
    server.stop()
    del server.environment["BOTHY_TEST_SCRYPT_LOG_ROUNDS"]
    server.start()
    Api(server.url).call("POST", "/v1/auth/login", expect=200, json={
        "email": account.user["email"], "password": PASSWORD, "device": {"name": "x", "platform": "linux"}})
    new_account(server)
    assert password_costs(server) == {"scrypt$15$8$3"}
    account.call("GET", "/v1/about", expect=200)


def password_costs(server):
    with contextlib.closing(sqlite3.connect(server.data / "bothy.sqlite", timeout=30)) as database:
        return {hash.rsplit("$", 2)[0] for [hash] in database.execute("SELECT password FROM accounts")}


def test_logins_are_slowed_and_that_outlives_a_restart(server, new_account):
    account = new_account(server)
    api = Api(server.url)

    def guess():
        return api.call("POST", "/v1/auth/login", json={
            "email": account.user["email"], "password": "wrong", "device": {"name": "x", "platform": "linux"}})

    evaluated = 0
    while (answer := guess()).status_code == 401:
        evaluated += 1
        assert evaluated <= 10, "more than 10 guesses in a minute were looked at"
    problem(answer, 429, "too_many_requests")
    assert int(answer.headers["retry-after"]) >= 1
    server.restart()
    problem(guess(), 429, "too_many_requests")
    account.call("GET", "/v1/about", expect=200)


def test_a_new_device_gets_in_while_a_stranger_guesses(tmp_path, new_account):
    """The contract said so, and whoever knew the right password was refused for as long as somebody went on guessing."""
    server = Server(tmp_path / "data", environment={"BOTHY_TRUSTED_PROXIES": "127.0.0.1/32"}).start()
    try:
        account = new_account(server)

        def sign_in(password, network):
            return Api(server.url).call("POST", "/v1/auth/login", headers={"X-Forwarded-For": network}, json={
                "email": account.user["email"], "password": password, "device": {"name": "x", "platform": "linux"}})

        def guess(networks):
            """Until nobody's guess is looked at any more."""
            answers = [sign_in("wrong", network).status_code for network in networks * 12]
            assert answers[-len(networks):] == [429] * len(networks) and answers.count(401) <= 10
            return answers.count(401)

        evaluated = guess(["203.0.113.1", "203.0.113.2"])
        assert sign_in(PASSWORD, "203.0.113.77").status_code == 200, "a network that has not guessed"
        server.restart()
        evaluated += guess(["203.0.113.1", "203.0.113.2"])
        assert evaluated <= 10, "a restart forgives nothing"
        assert sign_in(PASSWORD, "198.51.100.7").status_code == 200
        problem(sign_in(PASSWORD, "203.0.113.1"), 429, "too_many_requests")
    finally:
        server.kill()


def test_refresh_tokens_rotate_and_a_lost_answer_signs_no_one_out(api):
    first = api.refresh_token
    lost = api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": first}, expect=200).json()
    second = api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": first}, expect=200).json()
    assert lost["refreshToken"] != first
    third = api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": second["refreshToken"]}, expect=200).json()
    api.call("GET", "/v1/about", token=third["accessToken"], expect=200)


def test_a_reused_refresh_token_revokes_its_whole_family(api):
    first = api.refresh_token
    second = api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": first}, expect=200).json()
    third = api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": second["refreshToken"]}, expect=200).json()
    problem(api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": first}), 401,
            ("refresh_token_invalid", "device_signed_out"))
    problem(api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": third["refreshToken"]}), 401,
            ("refresh_token_invalid", "device_signed_out"))


def test_logging_out_ends_this_devices_tokens(api):
    other = Api(api.url).login(api.user["email"], name="phone")
    other.call("POST", "/v1/auth/logout", expect=204)
    problem(other.call("GET", "/v1/about"), 401, "device_signed_out")
    problem(other.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": other.refresh_token}), 401,
            ("refresh_token_invalid", "device_signed_out"))
    api.call("GET", "/v1/about", expect=200)


def test_devices_are_listed_and_signed_out(api):
    other = Api(api.url).login(api.user["email"], name="phone")
    devices = api.call("GET", "/v1/auth/devices", expect=200).json()["devices"]
    assert {device["name"]: device["current"] for device in devices} == {"laptop": True, "phone": False}
    api.call("DELETE", f"/v1/auth/devices/{other.device['id']}", expect=204)
    problem(other.call("GET", "/v1/files"), 401, "device_signed_out")
    assert len(api.call("GET", "/v1/auth/devices", expect=200).json()["devices"]) == 1
    problem(api.call("DELETE", f"/v1/auth/devices/{new_id()}"), 404, "not_found")


def test_signing_in_again_with_its_id_makes_no_second_device(api):
    api.login(api.user["email"], deviceId=api.device["id"])
    assert len(api.call("GET", "/v1/auth/devices", expect=200).json()["devices"]) == 1


def test_another_accounts_device_cannot_be_signed_out(api, new_account):
    stranger = new_account()
    problem(api.call("DELETE", f"/v1/auth/devices/{stranger.device['id']}"), 404, "not_found")
    stranger.call("GET", "/v1/about", expect=200)


def test_changing_the_password_ends_the_other_sessions(api):
    other = Api(api.url).login(api.user["email"], name="phone")
    problem(api.call("POST", "/v1/auth/password", json={"currentPassword": "wrong", "newPassword": "another password"}),
            401, "wrong_credentials")
    api.call("POST", "/v1/auth/password", expect=204,
             json={"currentPassword": PASSWORD, "newPassword": "another password"})
    assert other.call("GET", "/v1/about").status_code == 401
    api.call("GET", "/v1/about", expect=200)
    Api(api.url).login(api.user["email"], password="another password")


def test_an_access_token_says_who_for_whom_and_until_when(untouched):
    header, claims = part(untouched.access, 0), part(untouched.access, 1)
    assert header["kid"] and header["alg"] not in ("none", "HS256", "HS384", "HS512")
    assert claims["iss"] and claims["aud"] and claims["exp"] - claims["iat"] == 15 * 60 and abs(claims["iat"] - time.time()) < 10 * 60
    assert untouched.user["email"] not in json.dumps(claims)


def tokens_that_must_not_pass(good):
    header, claims, signature = good.split(".")
    head, body = part(good, 0), part(good, 1)
    return {
        "no signature": f"{header}.{claims}.",
        "alg none": f"{encoded({**head, 'alg': 'none'})}.{claims}.",
        "alg none, signed": f"{encoded({**head, 'alg': 'none'})}.{claims}.{signature}",
        "another algorithm": f"{encoded({**head, 'alg': 'HS256'})}.{claims}.{signature}",
        "another key": f"{encoded({**head, 'kid': 'nobody'})}.{claims}.{signature}",
        "no key": f"{encoded({'alg': head['alg'], 'typ': head.get('typ', 'JWT')})}.{claims}.{signature}",
        "another person": f"{header}.{encoded({**body, 'sub': '1'})}.{signature}",
        "longer": f"{header}.{encoded({**body, 'exp': body['exp'] + 9999})}.{signature}",
        "cut": good[:-10], "nonsense": "nonsense", "dots": "...", "long": "a" * 7000,
    }


NAMES = sorted(tokens_that_must_not_pass(f"{encoded({'alg': 'ES256', 'kid': 'k'})}.{encoded({'sub': '1', 'exp': 1})}.x"))


@pytest.mark.parametrize("name", NAMES)
def test_a_forged_token_does_not_pass(untouched, name):
    token = tokens_that_must_not_pass(untouched.access)[name]
    response = untouched.call("GET", "/v1/files", headers={"Authorization": f"Bearer {token}"})
    problem(response, 401, ("token_invalid", "sign_in_required"))
    assert token == "" or token not in response.text


def test_a_token_of_another_key_does_not_pass(untouched, server, new_account):
    problem(new_account(server).call("GET", "/v1/files", token=untouched.access), 401, "token_invalid")


@pytest.mark.parametrize("scheme", ["", "Basic abc", "Bearer", "bearer x y", "Token abc"])
def test_other_ways_of_signing_in_are_refused(untouched, scheme):
    response = untouched.call("GET", "/v1/files", headers={"Authorization": scheme})
    assert response.status_code == 401


def test_a_refresh_token_is_no_access_token(untouched):
    problem(untouched.call("GET", "/v1/files", token=untouched.refresh_token), 401, ("token_invalid", "sign_in_required"))
    response = untouched.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": untouched.access})
    problem(response, 401, "refresh_token_invalid")
