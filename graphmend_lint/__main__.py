"""`python -m graphmend_lint`."""

import sys

from graphmend_lint.cli import main

sys.exit(main())
