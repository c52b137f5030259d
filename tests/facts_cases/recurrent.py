import torch
from torch import nn
from torch.autograd import Variable
from torch.nn.utils import rnn


class Recurrent(nn.Module):
    def __init__(self, kind, bidirectional):
        super().__init__()
        if kind == "lstm":
            self.one = nn.LSTM(4, 4)
        else:
            self.one = nn.GRU(4, 4)
        self.other = getattr(nn, kind)(4, 4, bidirectional=bidirectional)
        self.lstm = nn.LSTM(4, 4)
        self.third = {"GRU": nn.GRU, "LSTM": nn.LSTM}[kind](4, 4)

    def forward(self, x: torch.Tensor, lengths):
        a, _ = self.one(x)
        a  # kind: tensor
        b, _ = self.other(x)
        b  # kind: tensor
        c, _ = self.third(x)
        c  # kind: tensor
        packed = rnn.pack_padded_sequence(x, lengths)
        sizes = packed.batch_sizes  # kind: tensor
        data = rnn.PackedSequence(packed.data, sizes).data  # kind: tensor
        ragged, _ = self.lstm(packed)
        inside = ragged.data  # kind: tensor
        padded, counts = rnn.pad_packed_sequence(packed)
        counts  # kind: tensor
        state = Variable(torch.zeros(4))  # kind: tensor
        together = rnn.pad_sequence([a[0], b[0], c[0]])  # kind: tensor
        return padded, state, together, data, inside
