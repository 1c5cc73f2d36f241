namespace Larder.Store;

/// <summary>
/// The prefix that an entry's value must have for a TTL update. The default value of this type requires no prefix, and every entry meets it, including
/// collections.
/// </summary>
internal unsafe ref struct PrefixCondition
{
    private readonly bool _isRequired;
    private readonly ReadOnlySpan<byte> _prefix;
    private readonly Span<byte> _head;

    /// <param name="prefix">The required prefix. No value matches an empty prefix.</param>
    /// <param name="head">Receives the first bytes of the value if the prefix does not match.</param>
    public PrefixCondition(ReadOnlySpan<byte> prefix, Span<byte> head)
    {
        _isRequired = true;
        _prefix = prefix;
        _head = head;
    }

    /// <summary>The number of bytes that were written to <c>head</c>.</summary>
    public int HeadBytes { get; private set; }

    /// <summary>Returns whether an entry meets the condition. The entry must be live and locked.</summary>
    public bool Holds(EntryHeader* entry, out TtlUpdateOutcome unmet)
    {
        unmet = TtlUpdateOutcome.WrongType;
        if (!_isRequired)
        {
            return true;
        }

        if (entry->Type != ItemType.Scalar)
        {
            return false;
        }

        ReadOnlySpan<byte> value = EntryHeader.Value(entry);
        if (!_prefix.IsEmpty && value.StartsWith(_prefix))
        {
            return true;
        }

        unmet = TtlUpdateOutcome.Different;
        HeadBytes = Math.Min(value.Length, _head.Length);
        value[..HeadBytes].CopyTo(_head);
        return false;
    }
}
