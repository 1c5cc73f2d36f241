namespace Larder.Client.Operations;

/// <summary>What must hold for a conditional set to store: the field of <c>SetIfRequest.condition</c>.</summary>
internal enum SetCondition
{
    Present = 4,
    PresentAndNotEqual = 5,
    Absent = 6,
    Equal = 7,
    AbsentOrEqual = 8,
    NotEqual = 9,
}
