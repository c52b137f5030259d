import torch
from torch import nn


class Flat(nn.Module):
    def forward(self, batch):
        a = batch["image"].unsqueeze(0)  # kind: tensor
        b = batch["image"]  # kind: tensor
        return a + b


class Nested(nn.Module):
    def forward(self, outputs):
        a = outputs["logits"]  # kind: unknown
        for layer in outputs["layers"]:
            b = layer["logits"].unsqueeze(0)  # kind: tensor
            c = layer  # kind: unknown
        return a.unsqueeze(0) + b, c
