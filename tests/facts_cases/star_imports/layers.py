import torch
import torch.nn as nn


class Shift(nn.Module):
    def forward(self, x):
        return torch.relu(x)
