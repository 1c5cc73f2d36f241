namespace Larder.Store.Collections;

/// <summary>An element in a block: a key (field or member) and its value. The value of a sorted set's member is its score; a set's is empty.</summary>
internal readonly unsafe struct KeyedElement(byte* at, byte* key, int keyLength, int valueLength)
{
    /// <summary>Start of the element: its lengths if it is packed, otherwise its record.</summary>
    public byte* At => at;

    /// <summary>End of the element.</summary>
    public byte* End => key + keyLength + valueLength;

    public ReadOnlySpan<byte> Key => new(key, keyLength);

    public Span<byte> Value => new(key + keyLength, valueLength);

    /// <summary>Bytes of key and value.</summary>
    public int PayloadBytes => keyLength + valueLength;

    /// <summary>The score, for sorted sets. Set it only if the element is not packed.</summary>
    public double Score
    {
        get => PackedScore.Read(key + keyLength, valueLength);
        set => *(double*)(key + keyLength) = value;
    }
}
