"""What is in a picture, by name."""


def artists(picture):
    """Everything in a picture that has a name, by name; each name once."""
    named = [artist for artist in picture.findobj() if artist.get_gid()]
    found = {artist.get_gid(): artist for artist in named}
    assert len(found) == len(named), "two artists have one name"
    return found
