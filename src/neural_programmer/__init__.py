"""Neural Programmer: learns programs over tables from questions and answers alone.

After Neelakantan, Le and Sutskever, "Neural Programmer: Inducing Latent Programs with Gradient Descent", ICLR 2016.
"""

__version__ = "0.1.0"
