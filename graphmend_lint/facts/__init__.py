"""What is known about the code of a file: side tables that rules ask and never change.

`facts` holds the questions that a rule may ask. The answers come from running the code on abstract values, as Dynamo
would trace it; the rest is worked out when somebody asks.

Running code on abstract values
    values          what an expression may be
    state           what holds at one point of a function
    objects         arguments, and objects of the program's classes
    interpreter     runs of functions, their summaries, and what is written down
    runs            what is remembered of runs
    statements, expressions, operators
                    one method or function for each kind of syntax
    nesting         how deep code may be nested
    scope           what a name refers to
    classes, attributes, autograd
                    base classes in order, what objects hold, what storing does
    annotations, docstrings
                    what a function says about its parameters
    narrow          what a test says about the names in it
    correlated      what a second test for None says of other names
    sites           what is handed to torch.compile

Calls
    calls           of whatever: the program, torch, Python, libraries
    torch_calls, api_values, conditions
                    of torch's functions, methods and modules, from its data
    torch_api, generate, stubs
                    that data, and what writes it from torch's own files
    ordering        functions that give the keys of what is put in order
    builtin_calls, library_calls
                    of Python's builtins, NumPy and einops
    number_arguments
                    which arguments torch takes for numbers
    text_calls      which functions only speak to a person
    untraced        which functions Dynamo does not trace, and why

Worked out on demand
    facts           the questions, and the tables that answer them
    reaching        which assignment gave a name its value
    unset           which names may have none
    callee          which function of the file a call runs, and what it returns
    meta, derived   shapes and dtypes of tensors, as ids
    ranks           numbers of dimensions
    effects, evaluated
                    what evaluating may do, and what is evaluated anyway
    grad_mode       whether gradients are recorded
    selected, shares
                    elements that a mask selects, and means over them
    random_numbers  what asks for a random number of Python's
"""

from graphmend_lint.facts.facts import Facts

__all__ = ["Facts"]
