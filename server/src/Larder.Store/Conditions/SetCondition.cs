namespace Larder.Store;

/// <summary>A condition on the entry under a key, decided atomically with the set that it guards.</summary>
public readonly ref struct SetCondition
{
    private readonly ReadOnlySpan<byte> _operand;

    private SetCondition(SetConditionKind kind, ReadOnlySpan<byte> operand = default)
    {
        Kind = kind;
        _operand = operand;
    }

    /// <summary>Which condition this is.</summary>
    public SetConditionKind Kind { get; }

    /// <summary>The value or the hash compared with; empty where the kind compares nothing.</summary>
    public ReadOnlySpan<byte> Operand => _operand;

    /// <summary>Always stores.</summary>
    public static SetCondition Unconditional => new(SetConditionKind.Unconditional);

    /// <summary>Stores where the key has a value.</summary>
    public static SetCondition Present => new(SetConditionKind.Present);

    /// <summary>Stores where the key has no value.</summary>
    public static SetCondition Absent => new(SetConditionKind.Absent);

    /// <summary>Stores where the key has a value other than <paramref name="value"/>.</summary>
    public static SetCondition PresentAndNotEqual(ReadOnlySpan<byte> value) => new(SetConditionKind.PresentAndNotEqual, value);

    /// <summary>Stores where the key has exactly <paramref name="value"/>.</summary>
    public static SetCondition Equal(ReadOnlySpan<byte> value) => new(SetConditionKind.Equal, value);

    /// <summary>Stores where the key has no value or exactly <paramref name="value"/>.</summary>
    public static SetCondition AbsentOrEqual(ReadOnlySpan<byte> value) => new(SetConditionKind.AbsentOrEqual, value);

    /// <summary>Stores where the key has no value or one other than <paramref name="value"/>.</summary>
    public static SetCondition NotEqual(ReadOnlySpan<byte> value) => new(SetConditionKind.NotEqual, value);

    /// <summary>Stores where the key has a value whose <see cref="Cache.HashValue"/> is not <paramref name="hash"/>.</summary>
    public static SetCondition PresentAndNotHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.PresentAndNotHashEqual, hash);

    /// <summary>Stores where the key has a value whose <see cref="Cache.HashValue"/> is <paramref name="hash"/>.</summary>
    public static SetCondition PresentAndHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.PresentAndHashEqual, hash);

    /// <summary>Stores where the key has no value or one whose <see cref="Cache.HashValue"/> is <paramref name="hash"/>.</summary>
    public static SetCondition AbsentOrHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.AbsentOrHashEqual, hash);

    /// <summary>Stores where the key has no value or one whose <see cref="Cache.HashValue"/> is not <paramref name="hash"/>.</summary>
    public static SetCondition AbsentOrNotHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.AbsentOrNotHashEqual, hash);

    /// <summary>Whether the present value matters, and not only whether there is one.</summary>
    internal bool ComparesValue => Kind is not (SetConditionKind.Unconditional or SetConditionKind.Present or SetConditionKind.Absent);

    /// <summary>Whether the value's hash is asked for, if there is a value.</summary>
    internal bool ComparesHash => Kind >= SetConditionKind.PresentAndNotHashEqual;

    /// <summary>Whether a set guarded by this stores where there is a value of that hash; for a kind that compares hashes.</summary>
    internal bool AllowsHash(ReadOnlySpan<byte> hash) =>
        _operand.SequenceEqual(hash) == (Kind is SetConditionKind.PresentAndHashEqual or SetConditionKind.AbsentOrHashEqual);

    /// <summary>Whether a set guarded by this stores, given what is under the key now.</summary>
    internal bool Allows(bool exists, ReadOnlySpan<byte> current) => Kind switch
    {
        SetConditionKind.Unconditional => true,
        SetConditionKind.Present => exists,
        SetConditionKind.PresentAndNotEqual => exists && !current.SequenceEqual(_operand),
        SetConditionKind.Absent => !exists,
        SetConditionKind.Equal => exists && current.SequenceEqual(_operand),
        SetConditionKind.AbsentOrEqual => !exists || current.SequenceEqual(_operand),
        SetConditionKind.NotEqual => !exists || !current.SequenceEqual(_operand),
        _ when ComparesHash => exists ? HashAllows(current) : Kind is SetConditionKind.AbsentOrHashEqual or SetConditionKind.AbsentOrNotHashEqual,
        _ => throw new InvalidOperationException($"Unknown condition {Kind}."),
    };

    private bool HashAllows(ReadOnlySpan<byte> current)
    {
        Span<byte> hash = stackalloc byte[Cache.ValueHashBytes];
        Cache.HashValue(current, hash);
        return AllowsHash(hash);
    }
}
