namespace Larder.Store;

/// <summary>The kinds of conditions for a conditional set.</summary>
public enum SetConditionKind
{
    /// <summary>The condition is always met.</summary>
    Unconditional,

    /// <summary>The key exists.</summary>
    Present,

    /// <summary>The key exists and its value differs from the operand.</summary>
    PresentAndNotEqual,

    /// <summary>The key is missing.</summary>
    Absent,

    /// <summary>The key's value equals the operand.</summary>
    Equal,

    /// <summary>The key is missing or its value equals the operand.</summary>
    AbsentOrEqual,

    /// <summary>The key is missing or its value differs from the operand.</summary>
    NotEqual,

    /// <summary>The key exists and its value's hash differs from the operand.</summary>
    PresentAndNotHashEqual,

    /// <summary>The key exists and its value's hash equals the operand.</summary>
    PresentAndHashEqual,

    /// <summary>The key is missing or its value's hash equals the operand.</summary>
    AbsentOrHashEqual,

    /// <summary>The key is missing or its value's hash differs from the operand.</summary>
    AbsentOrNotHashEqual,
}
