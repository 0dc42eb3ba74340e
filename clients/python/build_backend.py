"""setuptools, working on a copy: beside the sources it would leave build/ and an egg-info."""

import os
import shutil
import tempfile

from setuptools import build_meta
from setuptools.build_meta import build_editable as build_editable  # these do leave an egg-info
from setuptools.build_meta import build_sdist as build_sdist


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds a wheel of this folder into `wheel_directory`. Returns its file name."""
    target, sources = os.path.abspath(wheel_directory), os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(sources, os.path.join(folder, "sources"))
        os.chdir(copy)
        try:
            return build_meta.build_wheel(target, config_settings)
        finally:
            os.chdir(sources)
