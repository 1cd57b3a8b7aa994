"""python -m neural_programmer.cli"""

from neural_programmer.cli import main

main()
