namespace Larder.Store.Collections;

/// <summary>An element as it stands in a block: a field or member, and its value; of a sorted set the value is the score, of a set nothing.</summary>
internal readonly unsafe struct KeyedElement(byte* at, byte* key, int keyLength, int valueLength)
{
    /// <summary>Where the element begins: packed, its lengths; large, its record.</summary>
    public byte* At => at;

    /// <summary>Where it ends.</summary>
    public byte* End => key + keyLength + valueLength;

    public ReadOnlySpan<byte> Key => new(key, keyLength);

    public Span<byte> Value => new(key + keyLength, valueLength);

    /// <summary>Bytes of both.</summary>
    public int PayloadBytes => keyLength + valueLength;

    /// <summary>Of a sorted set. To be set it must not be packed.</summary>
    public double Score
    {
        get => PackedScore.Read(key + keyLength, valueLength);
        set => *(double*)(key + keyLength) = value;
    }
}
