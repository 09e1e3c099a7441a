import app.client as api
from app import Client


def main(make=Client.local):
    client = make()
    client.send({"a": 1})
    with api.Client("x") as other:
        other.close()


if __name__ == "__main__":
    main()
