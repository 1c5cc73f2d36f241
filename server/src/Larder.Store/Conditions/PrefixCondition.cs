namespace Larder.Store;

/// <summary>What an entry's value must begin with for a TTL update to apply; by default nothing is required, of collections neither.</summary>
internal unsafe ref struct PrefixCondition
{
    private readonly bool _isRequired;
    private readonly ReadOnlySpan<byte> _prefix;
    private readonly Span<byte> _head;

    /// <param name="prefix">What the value must begin with; empty: no value meets the condition.</param>
    /// <param name="head">Receives the value's first bytes if it begins with others.</param>
    public PrefixCondition(ReadOnlySpan<byte> prefix, Span<byte> head)
    {
        _isRequired = true;
        _prefix = prefix;
        _head = head;
    }

    /// <summary>Bytes of the head that were written.</summary>
    public int HeadBytes { get; private set; }

    /// <summary>Whether a live, locked entry meets the condition.</summary>
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
