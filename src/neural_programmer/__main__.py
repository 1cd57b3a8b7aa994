"""python -m neural_programmer is the command neural-programmer."""

from neural_programmer.cli import main

if __name__ == "__main__":
    main()
