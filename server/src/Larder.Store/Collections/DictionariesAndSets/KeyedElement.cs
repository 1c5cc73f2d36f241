namespace Larder.Store.Collections;

/// <summary>
/// An element in a block: a key (field or member) and its value. The value of a member of a sorted set is its score. The value of a member of a set is empty.
/// </summary>
internal readonly unsafe struct KeyedElement(byte* at, byte* key, int keyLength, int valueLength)
{
    /// <summary>
    /// The start of the element. For a packed element, this is the address of its lengths. For other elements, this is the address of the record.
    /// </summary>
    public byte* At => at;

    /// <summary>The end of the element.</summary>
    public byte* End => key + keyLength + valueLength;

    public ReadOnlySpan<byte> Key => new(key, keyLength);

    public Span<byte> Value => new(key + keyLength, valueLength);

    /// <summary>The number of bytes of the key and the value.</summary>
    public int PayloadBytes => keyLength + valueLength;

    /// <summary>The score of a sorted set's member. Set it only if the element is not packed.</summary>
    public double Score
    {
        get => PackedScore.Read(key + keyLength, valueLength);
        set => *(double*)(key + keyLength) = value;
    }
}
