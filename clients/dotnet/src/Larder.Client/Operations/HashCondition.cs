namespace Larder.Client.Operations;

/// <summary>What must hold for a set conditional on a hash to store: the field of <c>SetIfHashRequest.condition</c>.</summary>
internal enum HashCondition
{
    PresentAndNotHashEqual = 4,
    PresentAndHashEqual = 5,
    AbsentOrHashEqual = 6,
    AbsentOrNotHashEqual = 7,
    Unconditional = 8,
}
