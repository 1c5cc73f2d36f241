namespace Larder.Store;

/// <summary>The condition of a conditional set. It is checked against the entry under the key, atomically with the set.</summary>
public readonly ref struct SetCondition
{
    private readonly ReadOnlySpan<byte> _operand;

    private SetCondition(SetConditionKind kind, ReadOnlySpan<byte> operand = default)
    {
        Kind = kind;
        _operand = operand;
    }

    /// <summary>Gets the kind of the condition.</summary>
    public SetConditionKind Kind { get; }

    /// <summary>Gets the value or hash to compare with. It is empty if the condition does not compare anything.</summary>
    public ReadOnlySpan<byte> Operand => _operand;

    /// <summary>Gets the condition that is always met.</summary>
    public static SetCondition Unconditional => new(SetConditionKind.Unconditional);

    /// <summary>Gets the condition that is met if the key exists.</summary>
    public static SetCondition Present => new(SetConditionKind.Present);

    /// <summary>Gets the condition that is met if the key is missing.</summary>
    public static SetCondition Absent => new(SetConditionKind.Absent);

    /// <summary>Returns the condition that is met if the key exists and its value differs from <paramref name="value"/>.</summary>
    public static SetCondition PresentAndNotEqual(ReadOnlySpan<byte> value) => new(SetConditionKind.PresentAndNotEqual, value);

    /// <summary>Returns the condition that is met if the key's value equals <paramref name="value"/>.</summary>
    public static SetCondition Equal(ReadOnlySpan<byte> value) => new(SetConditionKind.Equal, value);

    /// <summary>Returns the condition that is met if the key is missing or its value equals <paramref name="value"/>.</summary>
    public static SetCondition AbsentOrEqual(ReadOnlySpan<byte> value) => new(SetConditionKind.AbsentOrEqual, value);

    /// <summary>Returns the condition that is met if the key is missing or its value differs from <paramref name="value"/>.</summary>
    public static SetCondition NotEqual(ReadOnlySpan<byte> value) => new(SetConditionKind.NotEqual, value);

    /// <summary>
    /// Returns the condition that is met if the key exists and the <see cref="Cache.HashValue"/> of its value differs from <paramref name="hash"/>.
    /// </summary>
    public static SetCondition PresentAndNotHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.PresentAndNotHashEqual, hash);

    /// <summary>
    /// Returns the condition that is met if the key exists and the <see cref="Cache.HashValue"/> of its value equals <paramref name="hash"/>.
    /// </summary>
    public static SetCondition PresentAndHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.PresentAndHashEqual, hash);

    /// <summary>
    /// Returns the condition that is met if the key is missing or the <see cref="Cache.HashValue"/> of its value equals <paramref name="hash"/>.
    /// </summary>
    public static SetCondition AbsentOrHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.AbsentOrHashEqual, hash);

    /// <summary>
    /// Returns the condition that is met if the key is missing or the <see cref="Cache.HashValue"/> of its value differs from <paramref name="hash"/>.
    /// </summary>
    public static SetCondition AbsentOrNotHashEqual(ReadOnlySpan<byte> hash) => new(SetConditionKind.AbsentOrNotHashEqual, hash);

    /// <summary>Whether the condition depends on the value and not only on whether the key exists.</summary>
    internal bool ComparesValue => Kind is not (SetConditionKind.Unconditional or SetConditionKind.Present or SetConditionKind.Absent);

    /// <summary>Whether the condition depends on the value's hash.</summary>
    internal bool ComparesHash => Kind >= SetConditionKind.PresentAndNotHashEqual;

    /// <summary>Returns whether the condition is met for an existing value with this hash. Call this only for kinds that compare hashes.</summary>
    internal bool AllowsHash(ReadOnlySpan<byte> hash) =>
        _operand.SequenceEqual(hash) == (Kind is SetConditionKind.PresentAndHashEqual or SetConditionKind.AbsentOrHashEqual);

    /// <summary>Returns whether the condition is met, given the current entry.</summary>
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
