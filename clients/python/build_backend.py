"""setuptools, working on a copy: beside the sources it would leave build/ and an egg-info."""

import os
import shutil
import tempfile
from contextlib import contextmanager

from setuptools import build_meta
from setuptools.build_meta import build_editable as build_editable  # this does leave an egg-info


@contextmanager
def _on_a_copy():
    sources = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(shutil.copytree(sources, os.path.join(folder, "sources")))
        try:
            yield
        finally:
            os.chdir(sources)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds a wheel of this folder into `wheel_directory`. Returns its file name."""
    target = os.path.abspath(wheel_directory)
    with _on_a_copy():
        return build_meta.build_wheel(target, config_settings)


def build_sdist(sdist_directory, config_settings=None):
    """Packs the sources of this folder, with which `build_wheel` works again. Returns the file name."""
    target = os.path.abspath(sdist_directory)
    with _on_a_copy():
        return build_meta.build_sdist(target, config_settings)
