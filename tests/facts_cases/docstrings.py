import torch
from torch import nn


class Model(nn.Module):
    def forward(self, xs, lengths, maybe, listed, other=None):
        """Pools.

        Args:
            xs (torch.Tensor): the input (batch, frames, width)
            lengths (LongTensor): how long each one is
            maybe (Tensor or None): unknown
            listed (list of Tensor): unknown
            other (torch.FloatTensor, optional): may be left out

        Returns:
            back (Tensor): not a parameter
        """
        a = xs  # kind: tensor
        b = lengths[0]  # kind: tensor
        c = maybe  # kind: unknown
        d = listed  # kind: unknown
        e = other  # kind: tensor | none
        return helped(c, d)  # kind: tensor


def helped(mask, back):
    """Helps.

    Parameters
    ----------
    mask : torch.Tensor of shape (n,)
    back
        anything
    """
    return mask
