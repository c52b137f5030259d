import torch


def forward(x: torch.Tensor, check: bool = True) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(
            ~torch.any(x < 0),
            "negative values cannot be taken the logarithm of here, so that the model would go on with what is no "
            "number;  clamp them before",
        )
    elif torch.any(x < 0):
        raise ValueError(
            "negative values cannot be taken the logarithm of here, so that the model "
            "would go on with what is no number;  clamp them before"
        )
    if torch.compiler.is_compiling():
        if check:
            torch._assert_async(
                ~(x.sum() > 100),
                "a_word_that_is_longer_than_any_line_in_this_file_and_that_cannot_be_cut_anywhere_in_the_middle_of_it "
                "x",
            )
    elif check and x.sum() > 100:
        raise ValueError("a_word_that_is_longer_than_any_line_in_this_file_and_that_cannot_be_cut_anywhere_in_the_middle_of_it x")
    return x.log()


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [(x,), (x, False), (-x,), (x * 90,)]
