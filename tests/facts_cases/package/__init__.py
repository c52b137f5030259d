from .blocks import *
from .blocks import scale as rescale
