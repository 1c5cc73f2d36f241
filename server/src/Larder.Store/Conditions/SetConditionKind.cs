namespace Larder.Store;

/// <summary>What must hold of the entry already under the key for a conditional set to store.</summary>
public enum SetConditionKind
{
    /// <summary>Always stores.</summary>
    Unconditional,

    /// <summary>The key has a value.</summary>
    Present,

    /// <summary>The key has a value, and it differs from the operand.</summary>
    PresentAndNotEqual,

    /// <summary>The key has no value.</summary>
    Absent,

    /// <summary>The key has a value equal to the operand.</summary>
    Equal,

    /// <summary>The key has no value, or one equal to the operand.</summary>
    AbsentOrEqual,

    /// <summary>The key has no value, or one that differs from the operand.</summary>
    NotEqual,

    /// <summary>The key has a value whose hash differs from the operand.</summary>
    PresentAndNotHashEqual,

    /// <summary>The key has a value whose hash is the operand.</summary>
    PresentAndHashEqual,

    /// <summary>The key has no value, or one whose hash is the operand.</summary>
    AbsentOrHashEqual,

    /// <summary>The key has no value, or one whose hash differs from the operand.</summary>
    AbsentOrNotHashEqual,
}
