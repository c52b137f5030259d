"""What fixes are built from: a map of the modules, by what they are about.

A rule's fixer calls a function of one of these modules. That function decides on `ast` and facts alone, and returns a
`Fix`, a `Refusal` with the reason, or None where the code is none of its business. The edits of a `Fix` are built from
LibCST nodes, and only when somebody asks for them.

Writing edits
    site            a file as LibCST sees it, and edits made from text
    apply           whole sets of edits put into a file, imports included
    template        pieces of code set into a template, indented to fit
    folded          new lines that are too long, broken over several
    naming          names for what a fix has to name
    imports         what a file calls a module, torch above all
    signature       a parameter more, with a default

Conditions as tensors
    predicate       a condition as one 0-dim bool tensor, apart from what Python knows
    term            such a tensor, and what it takes to write it down
    comparison      comparisons of numbers that are read from tensors
    truth           questions about a tensor's elements: `any(t)`, `1.0 in t`
    allowed         checks that a tensor holds allowed values only
    order           what Python knows is asked first
    asked, answers, passed_on
                    bools that only decide: in a name, returned by a function, passed on
    two_forms       what is a tensor while compiling, and a Python value in eager mode
    as_traced       shortcuts that are not taken while `torch.jit` traces
    python_numbers  tensors made of sizes, which Python can compute with
    draws           random numbers that decide whether something is left out
    reread          conditions that would be read again for the gradient

Branches as straight code
    select          two values and a condition become one `torch.where`, as far as that is the same
    branches        an `if` that sets names or stores
    arms            what each branch sets, and what must run before
    stores          what a branch changes that is no name
    returns         an `if` whose branches return
    ternary         `a if c else b`, `a and b`
    matching        `match` on a tensor as a chain of `if`
    opened          branches put another way first
    noop            guards around work that does nothing where they are false
    needless, needless_answers
                    masks that are dropped where they hold everywhere, or not given to the caller then
    each            an `if` around work on each item of a list
    scaled_in_place an `if` around tensors that are scaled in place
    arrays          branches on NumPy's arrays
    divisors        divisions by what the condition has found not to be 0
    outline         branches as functions for `torch.cond`
    traceable       what may run inside an arm of `torch.cond`
    shortcuts       early returns around stores under a mask, which would store nothing, or everything
    some_rows       none, all or some of the rows: three ways in one `torch.where`

Loops
    active, turn, staying
                    loops of known length that a tensor may end early; what one turn does, and leaves as it is
    safe_points     divisions that must not spoil the gradient of turns that do not count
    while_loop      loops whose number of turns only data knows
    elements        loops that test each element of a tensor, and store one
    vectors         loops that make a list of a tensor's elements
    opaque          loops over indices that data gives, run by an operator of their own
    dropped         items that a tensor of flags picks, then looped over
    experts, sent_to
                    mixtures of experts; which experts a loop goes over

Elements that a mask selects
    masked          reductions of selected elements, and stores under a mask
    mask_shape      how a mask lies over the tensor that it selects from
    named_mask, named_value
                    a mask that is written out in each place is given a name, and what a mask selects from
    elementwise     arithmetic on selected elements, up to a sum or a mean
    rows, masked_rows, row_edits
                    rows that are selected, computed and stored back
    rowwise, rowwise_calls, rowwise_ops, rowwise_values
                    the proof that code goes row by row
    as_mask, first_match, counting, whether
                    what is searched: used as an index, the first one, how many, any
    left_out        rows that are left out before the best are taken
    ignored         a loss of the rows whose label is not a certain number

Numbers that are read from a tensor
    scalar          a number left in the tensor: `x * t.item()`
    number_uses, number_places
                    where the number goes, and what takes a tensor there
    number_lists    lists of numbers: `t.tolist()`
    told            numbers that are read for one check alone
    row             an index without dimensions
    given_as_tensors
                    tensors given where torch takes numbers
    sorted_tensors  tensors that Python puts in order
    ranges, built_from, constants, by_default, static_numbers
                    numbers that Python knew all along
    longest, growth, one_hot, all_classes, class_counts
                    sizes that need not be read
    rejected        places where `fullgraph=True` fails as well

Text and exceptions
    policy          what becomes of text: the project's choice
    defer, spoken   kept for eager mode
    read_again      what is written or warned of, and read again
    aside           values that only people see, kept for eager mode with their uses
    printing        `print` as the operator that prints from the graph
    once            a constant message, given once per trace
    vendored        operators of a module that the user's package carries
    guard           checks that raise on a tensor, in two forms

Calls that are not traced
    equivalents, copies, contexts, errands
                    what does the same inside the graph, or is left out
    hoisted         calls that give the same each time, made while tracing
    outside         functions outside torch, called in an operator
    derivative, leaves
                    gradients that are taken, or never taken, in the middle of the graph

Questions about the code around
    fresh, copies, handed_back
                    does an expression make a tensor of its own, and one without a gradient?
    in_place, in_place_modules, changing, changes
                    is a tensor changed in place, and by what?
    sharing         which names may stand for one tensor?
    lasting         what does a call leave behind?
    iterators       may what a loop goes over be used up by it?
    special_methods which methods run without being named?
    used_up         is a tensor only computed with?
    derived_from    where does a gradient flow back to?
    finite, limits, kept_out
                    is something tested for NaN or infinity, or does a mask keep it out?
    bounded, bounded_calls, bounds
                    what can a tensor's elements be?
    module_lists    what makes the modules of a `ModuleList`
    callers         who calls a function, and with what?
    cached          does a function run once per argument?
    tried           does somebody catch what is raised here?
    flow, loads     where does a value go, and where is a name read?
    counted         does a name only ever hold Python numbers?
    index_kind      may an index be a mask?
"""
