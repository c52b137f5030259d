import torch


def forward(x: torch.Tensor, check: bool = True) -> torch.Tensor:
    if torch.any(x < 0):  # GM105
        raise ValueError(
            "negative values cannot be taken the logarithm of here, so that the model "
            "would go on with what is no number;  clamp them before"
        )
    if check and x.sum() > 100:  # GM105
        raise ValueError("a_word_that_is_longer_than_any_line_in_this_file_and_that_cannot_be_cut_anywhere_in_the_middle_of_it x")
    return x.log()


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [(x,), (x, False), (-x,), (x * 90,)]
